package schema

import (
	"reflect"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// scalar returns the schema of strictyaml's own types and of Go's, nil for any other.
func (b *Builder) scalar(t reflect.Type, tags Tags) *Schema {
	switch t {
	case reflect.TypeFor[strictyaml.Str]():
		return b.text(tags)
	case reflect.TypeFor[strictyaml.Strs]():
		one := b.text(tags)
		return &Schema{OneOf: []*Schema{one, {Type: Types{"array"}, Items: one}}, Noun: one.Noun + ", or a list of " + plural(one.Noun)}
	case reflect.TypeFor[strictyaml.Int]():
		return b.number("integer", "a whole number", tags)
	case reflect.TypeFor[strictyaml.Duration]():
		return Text("a duration with its unit, such as 1500ms, 90s, 5m or 1h30m", strictyaml.DurationPattern)
	case reflect.TypeFor[strictyaml.Regexp]():
		return &Schema{Type: Types{"string"}, Noun: "a regular expression in RE2 syntax"}
	case reflect.TypeFor[strictyaml.Tree]():
		return &Schema{Noun: "anything that JSON has" + tokens(tags)}
	}
	switch t.Kind() {
	case reflect.Bool:
		return &Schema{Type: Types{"boolean"}, Noun: "true or false"}
	case reflect.Int:
		return b.number("integer", "a whole number", tags)
	case reflect.Float64:
		return b.number("number", "a number", tags)
	case reflect.String:
		return b.text(tags)
	}
	return nil
}

func (b *Builder) number(kind, noun string, tags Tags) *Schema {
	if f := b.form(tags.Own("form")); f != nil {
		return f
	}
	return &Schema{Type: Types{kind}, Noun: noun}
}

// text is a text: one of the words of the tag `enum`, of the form of the tag `form`, or any.
func (b *Builder) text(tags Tags) *Schema {
	if words := tags.Get("enum"); words != "" {
		s := Words(strings.Split(words, "|")...)
		s.Noun = "one of " + strings.Join(s.Enum, ", ")
		return s
	}
	if f := b.form(tags.Own("form")); f != nil {
		return f
	}
	return &Schema{Type: Types{"string"}, Noun: "a text"}
}

// Template is a text with the tokens of the tag `tokens`.
func Template(tags Tags) *Schema {
	return &Schema{Type: Types{"string"}, Noun: "a text" + tokens(tags)}
}

func tokens(tags Tags) string {
	list := tags.Get("tokens")
	if list == "" {
		return ""
	}
	return ", with the tokens {" + strings.ReplaceAll(list, "|", "}, {") + "}"
}

// plural names several of what a noun names one of.
func plural(noun string) string {
	switch {
	case noun == "":
		return "values"
	case strings.HasPrefix(noun, "one of "):
		return "words, each " + noun
	case noun == "true or false":
		return noun
	}
	noun = strings.TrimPrefix(strings.TrimPrefix(noun, "a "), "an ")
	head, rest := noun, ""
	for _, stop := range []string{",", " with ", " of ", " in ", " to ", " that ", " below "} {
		if i := strings.Index(head, stop); i >= 0 {
			head, rest = head[:i], head[i:]+rest
		}
	}
	if strings.HasSuffix(head, "s") || strings.HasSuffix(head, "thing") {
		return head + rest
	}
	return head + "s" + rest
}

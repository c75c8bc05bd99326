package reference

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/lorimer-dev/lorimer/internal/schema"
)

// table renders the keys of a struct.
func (g *page) table(b *strings.Builder, s *schema.Schema) {
	b.WriteString("| key | value | meaning | used by |\n|---|---|---|---|\n")
	for _, p := range s.Properties {
		key := "`" + p.Key + "`"
		if slices.Contains(s.Required, p.Key) {
			key = "**" + key + "**"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", key, g.value(p.Schema), cell(meaning(p.Schema)), g.usage.who(p.Schema))
	}
}

// value says what stands behind a key, with a link where that has a place of its own.
func (g *page) value(s *schema.Schema) string {
	text := cell(strings.ReplaceAll(s.Noun, " with its unit, such as 1500ms, 90s, 5m or 1h30m", ""))
	if words := s.Enum; words != nil && (s.Noun == "" || strings.HasPrefix(s.Noun, "one of ")) {
		return "`" + strings.Join(words, "`, `") + "`"
	}
	for name := range g.common {
		if holds(s, name) {
			text = strings.Replace(text, "a mapping", "[a mapping](#"+anchor(name)+")", 1)
			text = strings.Replace(text, "list of mappings", "list of ["+plural(name)+"](#"+anchor(name)+")", 1)
		}
	}
	return text
}

// holds says whether a struct of the name stands directly in a value.
func holds(s *schema.Schema, name string) bool {
	return s.Struct == name || slices.ContainsFunc(inside(s), func(x *schema.Schema) bool { return x.Struct == name })
}

// meaning is the description without what the column for values says already.
func meaning(s *schema.Schema) string {
	text, _, _ := strings.Cut(s.Description, "\n\n")
	return text
}

// paragraph is a description as running text, without what its value looks like.
func paragraph(text string) string {
	parts := strings.Split(text, "\n\n")
	if len(parts) > 1 && (strings.HasPrefix(parts[len(parts)-1], "A list of") || strings.HasPrefix(parts[len(parts)-1], "A mapping to")) {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, "\n\n")
}

// cell makes a text fit into a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "*", `\*`, "<", "&lt;").Replace(text)
}

// title is the name of a Go struct for people: heldContext is "Held context", sourceForm is "Source".
func title(name string) string {
	var b strings.Builder
	if name != "Form" {
		name = strings.TrimSuffix(name, "Form")
	}
	for i, r := range name {
		switch {
		case i == 0:
			b.WriteRune(unicode.ToUpper(r))
		case unicode.IsUpper(r) && i+1 < len(name) && !unicode.IsUpper(rune(name[i-1])):
			b.WriteString(" " + string(unicode.ToLower(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func anchor(name string) string { return strings.ReplaceAll(strings.ToLower(title(name)), " ", "-") }

func plural(name string) string { return strings.ToLower(title(name)) + "s" }

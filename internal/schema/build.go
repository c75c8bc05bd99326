package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Speller is a type that reads its own spelling: it says which values it takes.
type Speller interface {
	Spell(b *Builder, tags Tags) *Schema
}

// Ruler is a struct whose values are held against each other: each rule must fit.
type Ruler interface {
	SchemaRules(b *Builder) []*Schema
}

// Builder makes schemas of types.
type Builder struct {
	docs    Docs
	forms   map[string]*Schema
	missing []string
}

// New returns a builder. forms are what the tags `form:"x"` (of the field's texts and numbers) and `keys:"x"` (of its keys;
// "x/y" for those of a map in a map) may name.
func New(docs Docs, forms map[string]*Schema) *Builder { return &Builder{docs: docs, forms: forms} }

// File returns the schema of a file that decodes into T. It fails when a field has no description, or a tag names no form.
func File[T any](b *Builder, title, comment string) (*Schema, error) {
	s := b.Type(reflect.TypeFor[T](), nil)
	s.Dialect, s.Title, s.Comment = Dialect, title, comment
	if b.missing != nil {
		slices.Sort(b.missing)
		return nil, fmt.Errorf("no schema: %s", strings.Join(slices.Compact(b.missing), "; "))
	}
	return s, nil
}

// Of returns the schema of T.
func Of[T any](b *Builder, tags Tags) *Schema { return b.Type(reflect.TypeFor[T](), tags) }

// Tags are those of the fields around a value, the outermost first.
type Tags []reflect.StructTag

// Get returns what the innermost tag that has the key says, as strictyaml's Context.Tag does.
func (t Tags) Get(key string) string {
	for _, tag := range slices.Backward(t) {
		if v, ok := tag.Lookup(key); ok {
			return v
		}
	}
	return ""
}

// Own returns what the tag of the field itself says.
func (t Tags) Own(key string) string {
	if len(t) == 0 {
		return ""
	}
	return t[len(t)-1].Get(key)
}

// Type returns the schema of a type under the tags of the fields that lead to it.
func (b *Builder) Type(t reflect.Type, tags Tags) *Schema {
	if s := b.scalar(t, tags); s != nil {
		return s
	}
	if s, ok := reflect.New(t).Interface().(Speller); ok {
		return s.Spell(b, tags)
	}
	switch {
	case t.Kind() == reflect.Pointer:
		return b.Type(t.Elem(), tags)
	case isMap(t):
		return b.mapping(t, tags)
	case t.Kind() == reflect.Slice:
		item := b.Type(t.Elem(), tags)
		return &Schema{Type: Types{"array"}, Items: item, Noun: "a list of " + plural(item.Noun)}
	case t.Kind() == reflect.Struct:
		return b.Struct(t, tags)
	}
	b.lack("%s is neither a known scalar nor a Speller", t)
	return &Schema{}
}

func (b *Builder) lack(format string, args ...any) {
	b.missing = append(b.missing, fmt.Sprintf(format, args...))
}

// form returns the named form; nil when the name is "".
func (b *Builder) form(name string) *Schema {
	if name == "" {
		return nil
	}
	f, ok := b.forms[name]
	if !ok {
		b.lack("there is no form %q", name)
		return &Schema{}
	}
	c := *f
	return &c
}

// Form returns a form that tags name.
func (b *Builder) Form(name string) *Schema { return b.form(name) }

// Struct returns the schema of a struct by its fields, also of one that is a Speller: for its Spell.
func (b *Builder) Struct(t reflect.Type, tags Tags) *Schema {
	s := &Schema{Type: Types{"object"}, Additional: None(), Struct: t.Name(), Description: b.docs.Type(t), Noun: "a mapping"}
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "" || name == "-" {
			continue
		}
		if option == "required" {
			s.Required = append(s.Required, name)
		}
		s.Properties = append(s.Properties, Property{name, b.field(t, f, tags)})
	}
	if r, ok := reflect.New(t).Interface().(Ruler); ok {
		s.AllOf = r.SchemaRules(b)
	}
	return s
}

// field describes a key: what it means, then what its value looks like where that is a spelling of its own.
func (b *Builder) field(t reflect.Type, f reflect.StructField, tags Tags) *Schema {
	s := b.Type(f.Type, append(slices.Clone(tags), f.Tag))
	doc := b.docs.Field(t, f.Name)
	if doc == "" {
		b.lack("%s.%s has no comment that says what it means", t.Name(), f.Name)
	}
	s.Description = doc
	if look := s.look(); look != "" {
		s.Description += "\n\n" + look
	}
	return s
}

// look is how a value of the key is written, "" where its JSON type says it.
func (s *Schema) look() string {
	switch s.Noun {
	case "", "a text", "a number", "a whole number", "true or false", "a mapping", "a list of texts", "a list of mappings":
		return ""
	}
	if s.Enum != nil {
		return ""
	}
	return strings.ToUpper(s.Noun[:1]) + s.Noun[1:] + "."
}

func isMap(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && strings.HasPrefix(t.Elem().Name(), "Entry[") &&
		t.Elem().PkgPath() == reflect.TypeFor[strictyaml.Pos]().PkgPath()
}

// mapping is a map: its keys are the file's choice, within what the tag `keys` says.
func (b *Builder) mapping(t reflect.Type, tags Tags) *Schema {
	mine, inner, _ := strings.Cut(tags.Own("keys"), "/")
	if len(tags) > 0 {
		tags = append(slices.Clone(tags), reflect.StructTag(`keys:"`+inner+`" form:"`+tags.Own("form")+`"`))
	}
	f, _ := t.Elem().FieldByName("Value")
	value := b.Type(f.Type, tags)
	s := &Schema{Type: Types{"object"}, Additional: value, Noun: "a mapping to " + plural(value.Noun)}
	if names := b.form(mine); names != nil {
		names.Type = nil // of a key, that goes without saying
		s.Names = names
	}
	return s
}

package descriptor

import (
	"reflect"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/schema"
)

// What the decoders take, for an editor. Each of these stands beside a DecodeYAML in decode_*.go and says the same; the
// tests hold the two against each other.

type (
	tags    = schema.Tags
	builder = schema.Builder
)

// Spell says which names an event has.
func (EventName) Spell(*builder, tags) *schema.Schema {
	s := schema.Words(names(harness.Events)...)
	s.Noun = "a neutral event"
	return s
}

// Spell says which names an effect has.
func (EffectName) Spell(*builder, tags) *schema.Schema {
	s := schema.Words(names(harness.Effects)...)
	s.Noun = "an effect"
	return s
}

// snippetTypes: 42 and true are JavaScript, too, and YAML's null is JavaScript's.
var snippetTypes = schema.Types{"string", "number", "boolean", "null"}

// Spell says what an expression looks like.
func (Expr) Spell(_ *builder, t tags) *schema.Schema {
	noun := "a JavaScript expression"
	if t.Get("js") == "await" {
		noun += " that may await"
	}
	return &schema.Schema{Type: snippetTypes, Pattern: `\S`, Noun: noun}
}

// Spell says what statements look like.
func (Body) Spell(_ *builder, t tags) *schema.Schema {
	noun := "JavaScript statements"
	if t.Get("js") == "sync" {
		noun += " that do not await"
	}
	return &schema.Schema{Type: snippetTypes, Pattern: `\S`, Noun: noun}
}

// Spell says what a parameter looks like.
func (Param) Spell(*builder, tags) *schema.Schema { return schema.Text("a JavaScript parameter", `\S`) }

// Spell says what a template looks like.
func (Template) Spell(_ *builder, t tags) *schema.Schema { return schema.Template(t) }

// One part of a slash path is neither empty nor . nor .. and has no backslash; the first is no drive letter and no ~.
const (
	pathPart   = `(?:[^/\\.][^/\\]*|\.[^/\\.][^/\\]*|\.\.[^/\\]+)`
	pathFirst  = `(?:[A-Za-z](?:[^/\\:][^/\\]*)?|[^A-Za-z/\\.~][^/\\]*|\.[^/\\.][^/\\]*|\.\.[^/\\]+)`
	pathBelow  = pathFirst + `(?:/` + pathPart + `)*$`
	pathInHome = `^~/` + pathBelow
)

// Spell says what a path looks like, by the places that the field's tag allows.
func (FilePath) Spell(_ *builder, t tags) *schema.Schema {
	switch t.Get("path") {
	case "user":
		return schema.Text("a path below HOME, written ~/", pathInHome)
	case "clone|user":
		return schema.Text("a relative slash path, or one below HOME, written ~/", `^(?:~/)?`+pathBelow)
	}
	return schema.Text("a relative slash path", `^`+pathBelow)
}

// Spell says what a gjson path looks like. What it may not be is more than a pattern can say.
func (Path) Spell(*builder, tags) *schema.Schema { return schema.Text("a gjson path", `^[^$]`) }

// Spell says what a version looks like.
func (Version) Spell(*builder, tags) *schema.Schema {
	return schema.Text("an exact version, in quotes", versionForm.Re().String())
}

// Spell says that the path may differ between operating systems.
func (PerOS) Spell(b *builder, t tags) *schema.Schema {
	return either(schema.Of[FilePath](b, t), schema.Of[pathsByOS](b, t))
}

// either is a value of one form or a mapping.
func either(forms ...*schema.Schema) *schema.Schema {
	s := schema.One(forms...)
	for i, f := range forms {
		if i > 0 {
			s.Noun += ", or "
		}
		s.Noun += f.Noun
	}
	return s
}

// Spell gives the list of rows without a form: that of a row hangs on the descriptor's kind, and the descriptor knows it.
func (Events) Spell(*builder, tags) *schema.Schema {
	return &schema.Schema{Type: schema.Types{"array"}, Noun: "a list of rows"}
}

// Spell says that context is said or held.
func (Context) Spell(b *builder, t tags) *schema.Schema {
	return either(schema.Of[Body](b, t), schema.Of[heldContext](b, t))
}

// Spell says that a source is a path, several, or a mapping.
func (Source) Spell(b *builder, t tags) *schema.Schema {
	return either(append(schema.Of[paths](b, t).OneOf, schema.Of[sourceForm](b, t))...)
}

// Spell says that there may be several paths.
func (paths) Spell(b *builder, t tags) *schema.Schema {
	return either(schema.Of[Path](b, t), schema.Of[[]Path](b, t))
}

// Spell says that the payload is native or taken apart.
func (Payload) Spell(b *builder, t tags) *schema.Schema {
	return either(one("native"), schema.Of[Map[Source]](b, t))
}

func one(word string) *schema.Schema {
	return &schema.Schema{Const: word, Noun: "the word " + word}
}

// Spell says that an answer is one form, or forms by operating system.
func (Answer) Spell(b *builder, t tags) *schema.Schema {
	form, forms := schema.Of[Form](b, t), schema.Of[answersByOS](b, t)
	return &schema.Schema{
		Type: schema.Types{"object"}, If: schema.Has("default"), Then: forms, Else: form, Noun: "a form, or forms by operating system",
	}
}

// Spell says that the section may be the word none.
func (Strict) Spell(b *builder, t tags) *schema.Schema {
	return either(one("none"), schema.Of[strictForm](b, t))
}

// Spell says that the section may be the word none.
func (Trust) Spell(b *builder, t tags) *schema.Schema {
	return either(one("none"), schema.Of[trustForm](b, t))
}

// Spell says that a method is its arguments, or a mapping.
func (Method) Spell(b *builder, t tags) *schema.Schema {
	return either(schema.Of[[]Arg](b, t), schema.Of[methodForm](b, t))
}

// Spell says that an argument is a text, or a flag with its value.
func (Arg) Spell(b *builder, t tags) *schema.Schema {
	return either(schema.Of[Template](b, t), schema.Of[argForm](b, t))
}

// Spell adds to the sections what hangs on the descriptor's kind.
func (Descriptor) Spell(b *builder, t tags) *schema.Schema {
	s := b.Struct(reflect.TypeFor[Descriptor](), t)
	external := schema.All(schema.Has("hooks"), schema.Not(schema.Has("shim")))
	rows := func(row *schema.Schema) *schema.Schema {
		return schema.With("events", &schema.Schema{Items: row})
	}
	s.AllOf = append(s.AllOf, &schema.Schema{
		If:   external,
		Then: rows(schema.Of[ExternalRow](b, t)),
		Else: rows(schema.Of[GenerativeRow](b, t)),
	})
	return s
}

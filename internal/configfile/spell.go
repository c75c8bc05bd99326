package configfile

import (
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/schema"
)

// What the decoders and checks of this package take, for an editor; the tests hold the two against each other.

type (
	tags    = schema.Tags
	builder = schema.Builder
	rules   = []*schema.Schema
)

// Forms are what the model's tags `form:"x"` name. ids are those of the harnesses that there are.
func Forms(ids []string) map[string]*schema.Schema {
	version, zero, billion := float64(Version), 0.0, 1e9
	return map[string]*schema.Schema{
		"version":  {Type: schema.Types{"integer"}, Minimum: &version, Maximum: &version, Noun: "a whole number"},
		"count":    {Type: schema.Types{"integer"}, Minimum: &zero, Noun: "a whole number from 0"},
		"seconds":  {Type: schema.Types{"number"}, Above: &zero, Below: &billion, Noun: "a number of seconds above 0"},
		"harness":  schema.Words(ids...),
		"name":     schema.Text("1 to 100 letters, digits and . _ -, a letter or digit first", nameForm.Re().String()),
		"variable": schema.Text("a variable's name", `^[^=\x00]+$`),
		"nonempty": {Type: schema.Types{"string"}, MinLength: 1, Noun: "a text"},
	}
}

// Spell says which names an event has.
func (Event) Spell(*builder, tags) *schema.Schema {
	return schema.Words(eventNames(harness.Event.Known)...)
}

// Spell says what a matcher looks like.
func (Matcher) Spell(*builder, tags) *schema.Schema {
	return &schema.Schema{Type: schema.Types{"string"}, Noun: "a text"}
}

// Spell says that it is a boolean.
func (Bool) Spell(b *builder, t tags) *schema.Schema { return schema.Of[bool](b, t) }

// Spell says what Claude's hooks look like. Keys that Claude does not know are passed over by it, and by Lorimer.
func (Hooks) Spell(b *builder, t tags) *schema.Schema {
	s := &schema.Schema{Type: schema.Types{"object"}, Additional: schema.None(), Noun: "a mapping"}
	for _, e := range eventNames(harness.Event.Known) {
		s.Properties = append(s.Properties, schema.Property{Key: e, Schema: eventHooks(b, t, harness.Event(e))})
	}
	return s
}

func eventHooks(b *builder, t tags, e harness.Event) *schema.Schema {
	group := schema.Of[claudeGroup](b, t)
	group.Additional = nil
	hook := group.Properties.Get("hooks").Items
	hook.Additional = nil
	if !e.Tool() {
		hook.AllOf = append(hook.AllOf, schema.With("if", schema.Words("")))
	}
	return &schema.Schema{Type: schema.Types{"array"}, Items: group}
}

func eventNames(which func(harness.Event) bool) (names []string) {
	for _, e := range harness.Events {
		if which(e) {
			names = append(names, string(e))
		}
	}
	return names
}

// SchemaRules: nothing is listed twice.
func (File) SchemaRules(*builder) rules { return rules{unique("harnesses")} }

func unique(key string) *schema.Schema { return schema.With(key, &schema.Schema{Unique: true}) }

// SchemaRules: a handler has one thing to run, and nothing in it contradicts the rest.
func (Handler) SchemaRules(*builder) rules {
	some, none := &schema.Schema{MinItems: 1}, &schema.Schema{MaxItems: new(int)}
	list := func(key string) *schema.Schema { return schema.All(schema.Has(key), schema.With(key, some)) }
	direct := schema.All(list("argv"), schema.Without("run"))
	line := schema.All(schema.Has("run"), schema.With("run", &schema.Schema{Pattern: `\S`}), schema.With("argv", none))
	return rules{
		schema.One(direct, line),
		schema.When(schema.All(schema.Has("if"), schema.With("if", &schema.Schema{MinLength: 1})),
			schema.With("event", &schema.Schema{Enum: eventNames(harness.Event.Tool)})),
		schema.When(list("files"), schema.With("event", &schema.Schema{Enum: eventNames(harness.Event.Tool)})),
		schema.Not(schema.All(schema.True("async"), schema.Is("on_error", "block"))),
		schema.Not(schema.All(schema.True("async"), schema.True("block"))),
		schema.When(schema.True("redacts"), schema.All(
			schema.With("event", schema.Words(string(harness.PostToolUse))), schema.Not(schema.True("async")), schema.With("block", &schema.Schema{Const: true}),
		)),
		schema.Not(schema.All(list("harnesses"), list("not"))),
		unique("harnesses"), unique("not"),
	}
}

package descriptor

import (
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/schema"
)

// What a descriptor's values say of each other, as far as a schema can tell; the checks of check_*.go say it to people.

type rules = []*schema.Schema

func oneOfKeys(keys ...string) *schema.Schema  { return schema.One(having(keys)...) }
func someOfKeys(keys ...string) *schema.Schema { return schema.Any(having(keys)...) }

func having(keys []string) (list []*schema.Schema) {
	for _, key := range keys {
		list = append(list, schema.Has(key))
	}
	return list
}

// SchemaRules: a descriptor is of one kind, and its rows go with its payload.
func (Descriptor) SchemaRules(*builder) (all rules) {
	for _, k := range kinds {
		all = append(all, schema.When(k.condition(), schema.All(schema.Has(k.needs...), schema.Without(k.without...))))
	}
	rows := func(rule *schema.Schema) *schema.Schema { return schema.With("events", &schema.Schema{Items: rule}) }
	external := func(payload *schema.Schema) *schema.Schema {
		return schema.All(schema.Has("hooks", "payload"), schema.With("payload", payload))
	}
	return append(all,
		schema.Not(schema.Has("shim", "hooks")),
		schema.When(external(&schema.Schema{Const: "native"}), rows(schema.All(schema.Without("tool"), schema.Without("wrong"), schema.With("fields", schema.Empty())))),
		schema.When(external(&schema.Schema{Type: schema.Types{"object"}}), rows(schema.When(isTool(), schema.Has("tool")))),
	)
}

// isTool is that a row is of a tool event.
func isTool() *schema.Schema {
	is := &schema.Schema{}
	for _, e := range harness.Events {
		if e.Tool() {
			is.Enum = append(is.Enum, string(e))
		}
	}
	return schema.All(schema.Has("event"), schema.With("event", is))
}

// condition is that a descriptor is of the kind.
func (k kind) condition() *schema.Schema {
	if k.section != "" {
		return schema.Has(k.section)
	}
	return schema.Not(someOfKeys("shim", "hooks"))
}

// SchemaRules: a predicate has one operation.
func (Predicate) SchemaRules(*builder) rules {
	return rules{schema.One(append(having([]string{"in", "not_in", "match"}), schema.True("absent"), schema.True("present"))...)}
}

// SchemaRules: a sign is a variable that is there.
func (Detect) SchemaRules(*builder) rules {
	sign := schema.All(schema.With("key", &schema.Schema{Pattern: variable.Re().String()}), schema.Not(schema.True("absent")))
	return rules{schema.With("env", &schema.Schema{Items: sign})}
}

// SchemaRules: nothing is injected by hooks that do not hold, and commands are run by the fallback alone.
func (Capability) SchemaRules(*builder) rules {
	injects := schema.Any(schema.Is("startup", "hook_injection"), schema.Is("gupp", "hook_injection"))
	commands := schema.All(schema.Has("startup_commands"), schema.With("startup_commands", &schema.Schema{MinItems: 1}))
	return rules{
		schema.When(injects, schema.With("hooks", schema.Words("full"))),
		schema.When(commands, schema.With("startup", schema.Words("startup_fallback"))),
	}
}

// SchemaRules: an ancestor is known by one thing.
func (Process) SchemaRules(*builder) rules { return rules{oneOfKeys("exe", "script")} }

// SchemaRules: a denial can be seen.
func (Denial) SchemaRules(*builder) rules { return rules{someOfKeys("event", "reads")} }

// SchemaRules: what a document has in any case is a mapping.
func (GateFile) SchemaRules(*builder) rules {
	return rules{schema.With("root", &schema.Schema{Type: schema.Types{"object"}})}
}

// SchemaRules: a surface is said in one way, with the keys that belong to it.
func (Surface) SchemaRules(*builder) rules {
	return rules{
		oneOfKeys("set", "list", "flag", "argv"),
		schema.When(schema.Has("set"), schema.Without("of", "item")),
		schema.When(schema.Has("argv"), schema.Without("of", "item", "file")),
		schema.When(schema.Has("flag"), schema.Without("file")),
		schema.When(schema.All(schema.Has("set"), schema.Not(schema.Has("order"))), schema.With("set", &schema.Schema{Pattern: `\{name\}`})),
		schema.When(someOfKeys("list", "flag"), schema.Has("of")),
		schema.When(someOfKeys("list", "flag", "argv"), schema.Without("type", "locked_value", "order")),
		schema.When(schema.Is("type", "bool"), schema.Without("locked_value", "order")),
	}
}

// SchemaRules: a host has a file.
func (HookFiles) SchemaRules(*builder) rules { return rules{someOfKeys("local", "shared", "user")} }

// SchemaRules: what is merged is a mapping, and the list of keys leads somewhere.
func (Hooks) SchemaRules(*builder) rules {
	object := &schema.Schema{Type: schema.Types{"object"}}
	return rules{
		schema.With("at", &schema.Schema{MinItems: 1}), schema.With("fail_closed", object), schema.With("root", object),
		schema.When(schema.Has("fail_closed"), schema.With("entry", object)),
	}
}

// SchemaRules: MCP tools are known in one of two ways, or in both.
func (MCP) SchemaRules(*builder) rules {
	return rules{someOfKeys("join", "server"), schema.When(schema.Has("server"), schema.Has("tool")), schema.When(schema.Has("tool"), schema.Has("server"))}
}

// SchemaRules: a value comes from one place.
func (sourceForm) SchemaRules(*builder) rules { return rules{oneOfKeys("path", "value")} }

// SchemaRules: what is written is JSON or a text.
func (Form) SchemaRules(*builder) rules {
	return rules{schema.With("stdout", &schema.Schema{Type: schema.Types{"object", "string"}})}
}

// SchemaRules: each way of registering has its own keys.
func (Channel) SchemaRules(*builder) (all rules) {
	for _, way := range []string{"bus", "call", "property"} {
		rule, then := channelKeys[way], rules{}
		if rule.needs != nil {
			then = append(then, schema.Has(rule.needs...))
		}
		for _, key := range []string{"target", "property", "type", "let"} {
			if !slices.Contains(rule.needs, key) && !slices.Contains(rule.may, key) {
				then = append(then, schema.Without(key))
			}
		}
		if !slices.Contains(rule.may, "unnamed") {
			then = append(then, schema.Not(schema.True("unnamed")))
		}
		all = append(all, schema.When(schema.Is("register", way), schema.All(then...)))
	}
	return all
}

// SchemaRules: a row with an event has that event's keys; one without only acts.
func (GenerativeRow) SchemaRules(*builder) rules {
	all := eventRules(true)
	acts := schema.Any(append(having([]string{"do", "deliver", "otherwise"}), schema.True("open"), schema.True("close"))...)
	then := rules{acts, schema.With("fields", schema.Empty())}
	for _, part := range (GenerativeRow{}).verdictParts() {
		if part.key != "fields" && part.key != "after" {
			then = append(then, schema.Without(part.key))
		}
	}
	then = append(then, schema.Any(schema.Has("deliver"), schema.Without("after")))
	each := rules{schema.Not(schema.Is("form", "sync"))}
	for _, key := range []string{"parent", "blocked", "allow", "rewrite", "replace", "deliver"} {
		each = append(each, schema.Without(key))
	}
	return append(all, schema.When(schema.Not(schema.Has("event")), schema.All(then...)), schema.When(schema.Has("each"), schema.All(each...)), unique("cannot"))
}

// SchemaRules: a row has the keys of its event.
func (ExternalRow) SchemaRules(*builder) rules { return append(eventRules(false), unique("cannot")) }

func unique(key string) *schema.Schema { return schema.With(key, &schema.Schema{Unique: true}) }

// eventRules say which keys of the payload an event has, and whether there is a call.
func eventRules(generative bool) (all rules) {
	for _, e := range harness.Events {
		then := rules{schema.With("fields", &schema.Schema{Names: &schema.Schema{Enum: fieldsOf(e)}})}
		switch ran := e == harness.PostToolUse || e == harness.PostToolUseFailure; {
		case !e.Tool():
			then = append(then, schema.Without("tool"))
		case generative:
			then = append(then, schema.Has("tool"))
			fallthrough
		default:
			if !ran {
				then = append(then, schema.With("tool", schema.Without("response")))
			}
		}
		all = append(all, schema.When(schema.Is("event", string(e)), schema.All(then...)))
	}
	return all
}

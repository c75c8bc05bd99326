package descriptor

import (
	"fmt"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// DefaultChannel is the channel of a row that names none, where there are several.
const DefaultChannel = "ext"

// ChannelOf returns the channel that a row's handler is registered on, and false when there is none of the name.
func (s *Shim) ChannelOf(r GenerativeRow) (name string, c Channel, ok bool) {
	switch {
	case r.Via.Set():
		name = r.Via.Text
	case len(s.Channels) == 1:
		name = s.Channels[0].Key
	default:
		name = DefaultChannel
	}
	c, ok = s.Channels.Get(name)
	return name, c, ok
}

func (k *checker) generativeRows() {
	if k.d.Shim == nil {
		return
	}
	for _, r := range k.d.Events.Generative {
		k.channelOf(r)
		if r.Event.Set() {
			k.tool(r.Pos, r.Event, r.Tool != nil, true)
			k.fieldNames(r.Event, keyPlaces(r.Fields))
		} else {
			k.actsOnly(r)
		}
		if r.Tool != nil {
			k.response(r.Event, r.Tool.Response.Pos)
		}
		k.effects(r.Cannot)
		k.contradictions(r)
		k.each(r)
	}
}

func (k *checker) channelOf(r GenerativeRow) {
	name, _, ok := k.d.Shim.ChannelOf(r)
	pos := r.Via.Pos
	if !r.Via.Set() {
		pos = r.Pos
	}
	if !ok {
		known := k.d.Shim.Channels.Keys()
		k.OneOfAt(pos, fmt.Sprintf("the row is on channel %q, which shim.channels does not have", name), name, known)
		return
	}
	if _, has := k.d.Shim.Session.ID.Get(name); !has && (r.Event.Set() || r.Deliver != nil || r.Open || r.Close) {
		k.mend(pos, "say there how the session's id is found", "the row needs its session, but shim.session.id has no entry for channel %q", name)
	}
}

// actsOnly checks a row without an event: it must do something, and nothing that needs a verdict.
func (k *checker) actsOnly(r GenerativeRow) {
	if !r.Do.Set() && r.Deliver == nil && !r.Open && !r.Close && !r.Otherwise.Set() {
		k.want(r.Pos, "event, or one of do, deliver, otherwise, open, close", "the row does nothing")
	}
	for _, x := range r.verdictParts() {
		if !x.pos.IsZero() {
			k.mend(x.pos, "take it out, or say which event the row means", "%s means nothing in a row without event", x.key)
		}
	}
}

// verdictParts are the keys that need a verdict, and so an event.
func (r GenerativeRow) verdictParts() []keyPlace {
	return []keyPlace{
		{"form", r.Form.Pos}, {"after", afterNothing(r)}, {"blocked", r.Blocked.Pos}, {"stop", r.Stop.Pos}, {"allow", r.Allow.Pos},
		{"rewrite", r.Rewrite.Pos}, {"replace", r.Replace.Pos}, {"env", r.Env.Pos},
		{"context", placeOf(r.Context)}, {"tool", placeOfTool(r.Tool)}, {"fields", firstPlace(r.Fields)},
	}
}

func placeOf(c *Context) Pos {
	if c == nil {
		return Pos{}
	}
	return c.Pos
}

func placeOfTool(t *ToolFields) Pos {
	if t == nil {
		return Pos{}
	}
	return t.Pos
}

func firstPlace[V any](m Map[V]) Pos {
	if len(m) == 0 {
		return Pos{}
	}
	return m[0].KeyPos
}

// tool checks that tool events have a call, and others none.
func (k *checker) tool(pos Pos, event EventName, has, needed bool) {
	switch {
	case !event.Event().Known():
	case event.Event().Tool() && !has && needed:
		k.mend(pos, "add tool: with name and input", "%s is a tool event, but the row has no tool", event.Text)
	case !event.Event().Tool() && has:
		k.mend(pos, "take tool out", "%s is no tool event, but the row has a tool", event.Text)
	}
}

// response checks that a result is taken only where the tool has run.
func (k *checker) response(event EventName, pos Pos) {
	ran := event.Event() == harness.PostToolUse || event.Event() == harness.PostToolUseFailure
	if !pos.IsZero() && event.Event().Known() && !ran {
		k.mend(pos, "take response out", "%s has no response yet: the tool has not run", event.Text)
	}
}

type keyPlace struct {
	key string
	pos Pos
}

func keyPlaces[V any](m Map[V]) (out []keyPlace) {
	for _, e := range m {
		out = append(out, keyPlace{e.Key, e.KeyPos})
	}
	return out
}

// fieldNames checks the payload keys that a row fills: a misspelt one would go out beside the right one.
func (k *checker) fieldNames(event EventName, fields []keyPlace) {
	if !event.Event().Known() {
		return
	}
	for _, f := range fields {
		k.OneOfAt(f.pos, fmt.Sprintf("%s has no key %q", event.Text, f.key), f.key, fieldsOf(event.Event()))
	}
}

// effects checks a list of effects for repetitions.
func (k *checker) effects(list []EffectName) {
	for i, e := range list {
		if slices.ContainsFunc(list[:i], func(x EffectName) bool { return x.Text == e.Text }) {
			k.mend(e.Pos, "take one of them out", "%s is listed twice", e.Text)
		}
	}
}

// contradictions finds effects that the row says how to do and that it cannot do.
func (k *checker) contradictions(r GenerativeRow) {
	does := map[harness.Effect]bool{
		harness.Block: r.Blocked.Set(), harness.Allow: r.Allow.Set(), harness.StopAgent: r.Stop.Set(),
		harness.Context: r.Context != nil, harness.RewriteInput: r.Rewrite.Set(), harness.RewriteOutput: r.Replace.Set(),
		harness.Env: r.Env.Set(),
	}
	for _, e := range r.Cannot {
		if does[e.Effect()] {
			k.mend(e.Pos, "take it out of cannot, or the way to do it out of the row", "the row says how to %s, and that the host cannot", e.Text)
		}
	}
	if r.Env.Set() && r.Event.Text != string(harness.SessionStart) {
		k.mend(r.Env.Pos, "move it to a row of SessionStart", "hooks leave variables at SessionStart alone, and this row is of %s", r.Event.Text)
	}
}

// channels checks how handlers are registered.
func (k *checker) channels() {
	s := k.d.Shim
	if s == nil {
		return
	}
	for _, e := range s.Channels {
		k.channel(e)
	}
	for _, m := range [][]keyPlace{keyPlaces(s.Session.ID), keyPlaces(s.Session.Parent), keyPlaces(s.Session.Keep)} {
		for _, x := range m {
			k.OneOfAt(x.pos, fmt.Sprintf("shim.session names channel %q", x.key), x.key, s.Channels.Keys())
		}
	}
}

// channelKeys are the keys that each way of registering needs, and those that it may have.
var channelKeys = map[string]struct{ needs, may []string }{
	"call":     {needs: []string{"target"}, may: []string{"unnamed"}},
	"property": {},
	"bus":      {needs: []string{"property", "type", "let"}},
}

func (k *checker) channel(e strictyaml.Entry[Channel]) {
	c := e.Value
	rule, ok := channelKeys[c.Register.Text]
	if !ok {
		return
	}
	unnamed := Pos{}
	if c.Unnamed {
		unnamed = c.Pos
	}
	for _, x := range []keyPlace{{"target", c.Target.Pos}, {"unnamed", unnamed}, {"property", c.Property.Pos}, {"type", c.Type.Pos}, {"let", firstPlace(c.Let)}} {
		switch needed := slices.Contains(rule.needs, x.key); {
		case needed && x.pos.IsZero():
			k.mend(c.Pos, "add it", "channel %q registers by %s, and that needs %s", e.Key, c.Register.Text, x.key)
		case !needed && !x.pos.IsZero() && !slices.Contains(rule.may, x.key):
			k.mend(x.pos, "take it out", "channel %q registers by %s, where %s means nothing", e.Key, c.Register.Text, x.key)
		}
	}
}

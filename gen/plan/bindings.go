package plan

import (
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// bindings resolves what the harness makes of each neutral event that one of its rows means.
func bindings(h *Harness) (out []harness.Binding) {
	for _, event := range harness.Events {
		b := harness.Binding{Event: event, Limit: limit(h.Descriptor, event)}
		for _, r := range h.Events.Generative {
			if r.Event.Text == string(event) {
				b.Host = first(b.Host, r.Host.Text)
				b.Can = union(b.Can, generativeEffects(r, h.Shim.Host.Notify.Set()))
			}
		}
		for _, r := range h.Events.External {
			if r.Event.Text == string(event) {
				b.Host = first(b.Host, r.Host.Text)
				b.Others = append(b.Others, otherHost(b, r.Host.Text)...)
				b.Can = union(b.Can, externalEffects(r))
				b.Brings = append(b.Brings, brought(r, b.Brings)...)
				b.Later = harness.Event(first(string(b.Later), r.Later.Text))
			}
		}
		if b.Turns = turns(h, event); b.Host != "" {
			out = append(out, b)
		}
	}
	return out
}

// otherHost is the host's event, where the binding does not know it yet.
func otherHost(b harness.Binding, host string) []string {
	if host == b.Host || slices.Contains(b.Others, host) {
		return nil
	}
	return []string{host}
}

// generativeEffects follows from which snippets a row has: what a block does, what becomes of context.
func generativeEffects(r descriptor.GenerativeRow, notify bool) []harness.Effect {
	has := map[harness.Effect]bool{
		harness.Block:         r.Blocked.Set(),
		harness.Allow:         r.Allow.Set(),
		harness.Context:       r.Context != nil,
		harness.RewriteInput:  r.Rewrite.Set(),
		harness.RewriteOutput: r.Replace.Set(),
		harness.StopAgent:     r.Stop.Set(),
		harness.Notify:        notify,
		harness.Env:           r.Env.Set(),
		harness.Continue:      r.Blocked.Set() && harness.Event(r.Event.Text).Gate(),
	}
	return effects(has, r.Cannot)
}

// externalEffects follows from which effects a row has an answer for.
func externalEffects(r descriptor.ExternalRow) []harness.Effect {
	has := map[harness.Effect]bool{}
	for _, a := range r.Answer {
		has[harness.Effect(a.Key)] = true
	}
	has[harness.Context] = has[harness.Context] || r.Later.Set()
	has[harness.Continue] = has[harness.Continue] || has[harness.Block] && harness.Event(r.Event.Text).Gate()
	return effects(has, r.Cannot)
}

// brought are the events that a row brings beside those that others brought already.
func brought(r descriptor.ExternalRow, already []harness.Event) (out []harness.Event) {
	for _, e := range append(slices.Clone(r.Brings), r.Later) {
		if e.Set() && !slices.Contains(already, e.Event()) && !slices.Contains(out, e.Event()) {
			out = append(out, e.Event())
		}
	}
	return out
}

func effects(has map[harness.Effect]bool, cannot []descriptor.EffectName) (out []harness.Effect) {
	for _, c := range cannot {
		has[harness.Effect(c.Text)] = false
	}
	for _, e := range harness.Effects {
		if has[e] {
			out = append(out, e)
		}
	}
	return out
}

// limit is the host's own time limit for a hook of the event; 0 when it has none.
func limit(d *descriptor.Descriptor, event harness.Event) time.Duration {
	for _, key := range []string{string(event), "*"} {
		if l, ok := d.Limits.Get(key); ok {
			return l.D
		}
	}
	return 0
}

func first(have, candidate string) string {
	if have != "" {
		return have
	}
	return candidate
}

func union(a, b []harness.Effect) (out []harness.Effect) {
	for _, e := range harness.Effects {
		if slices.Contains(a, e) || slices.Contains(b, e) {
			out = append(out, e)
		}
	}
	return out
}

// Partly says when the host has the event only sometimes; "" when it always has it.
func (h *Harness) Partly(event harness.Event) string {
	for _, r := range h.Events.Generative {
		if r.Event.Text == string(event) && r.Partly.Set() {
			return r.Partly.Text
		}
	}
	for _, r := range h.Events.External {
		if r.Event.Text == string(event) && r.Partly.Set() {
			return r.Partly.Text
		}
	}
	return ""
}

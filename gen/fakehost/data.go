package fakehost

import (
	"encoding/json"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// imitation is the data of a fake section.
func imitation(h *plan.Harness) harness.Fake {
	f := h.Fake
	out := harness.Fake{Calls: []harness.FakeCall{}, Plays: plays(h), Cannot: map[string]string{}, Partly: map[string]string{}}
	out.Calls = append(out.Calls, calls(f.Calls)...)
	for _, c := range f.Cannot {
		out.Cannot[c.Key] = c.Value.Text
	}
	for _, b := range h.Bindings {
		if when := h.Partly(b.Event); when != "" {
			out.Partly[string(b.Event)] = when
		}
	}
	for _, m := range f.Modes {
		out.Modes = append(out.Modes, harness.FakeMode{Name: m.Key, Argv: plan.Texts(m.Value)})
	}
	out.Real = real(f.Real)
	out.Payloads = payloads(f)
	out.Reads = reads(f)
	return out
}

func calls(list descriptor.Map[descriptor.FakeCall]) (out []harness.FakeCall) {
	for _, c := range list {
		out = append(out, harness.FakeCall{Tool: c.Key, Name: c.Value.Name.Text, Input: raw(c.Value.Input)})
	}
	return out
}

// plays are the descriptor's, and for the other events the one host event that each begins with.
func plays(h *plan.Harness) map[string][]string {
	all := map[string][]string{}
	for _, b := range h.Bindings {
		all[string(b.Event)] = []string{b.Host}
	}
	for _, p := range h.Fake.Plays {
		all[p.Key] = plan.Texts(p.Value)
	}
	return all
}

func real(r *descriptor.Real) *harness.FakeReal {
	if r == nil {
		return nil
	}
	out := &harness.FakeReal{Argv: templates(r.Argv), Fork: templates(r.Fork), Env: []string{}, Files: map[string]json.RawMessage{}}
	for _, e := range r.Env {
		out.Env = append(out.Env, e.Key+"="+e.Value.Text)
	}
	for _, e := range r.Escapes {
		out.Escapes = append(out.Escapes, [2]string{e.Key, e.Value.Text})
	}
	out.Calls = calls(r.Calls)
	for _, f := range r.Files {
		out.Files[f.Key] = raw(f.Value)
	}
	return out
}

func templates(list []descriptor.Template) (out []string) {
	for _, t := range list {
		out = append(out, t.Text)
	}
	return out
}

func payloads(f *descriptor.Fake) map[string]json.RawMessage {
	if f.Payloads == nil {
		return nil
	}
	all := map[string]json.RawMessage{}
	for _, p := range f.Payloads {
		all[p.Key] = raw(p.Value)
	}
	return all
}

func reads(f *descriptor.Fake) map[string]map[harness.Effect][]harness.FakeReading {
	if f.Reads == nil {
		return nil
	}
	all := map[string]map[harness.Effect][]harness.FakeReading{}
	for _, host := range f.Reads {
		all[host.Key] = map[harness.Effect][]harness.FakeReading{}
		for _, e := range host.Value {
			all[host.Key][harness.Effect(e.Key)] = readings(e.Value)
		}
	}
	return all
}

func readings(list []descriptor.Read) []harness.FakeReading {
	out := []harness.FakeReading{}
	for _, r := range list {
		x := harness.FakeReading{Exit: r.Exit.N, On: r.On.Text, Path: r.Path.Text, Where: plan.Predicates(r.Where)}
		out = append(out, x)
	}
	return out
}

func raw(t descriptor.Tree) json.RawMessage { return json.RawMessage(plan.JSON(t, "")) }

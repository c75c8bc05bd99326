package plan

import (
	"slices"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// What starts an agent where nothing is injected by a hook, unless the descriptor says otherwise. Roles that nobody talks to
// look for their mail by themselves.
var startupDefault = []harness.Command{{Line: "gt prime"}, {Line: "gt mail check --inject", Autonomous: true}}

// runtimes returns the rows of the HAL in the order in which they are asked: each before those that its detect.before names,
// else by id.
func runtimes(hs []*Harness) (rows []*harness.Runtime) {
	for _, h := range asked(hs) {
		if len(h.Capabilities) > 0 {
			rows = append(rows, runtime(h))
		}
	}
	return rows
}

// asked sorts by detect.before. The loader has seen to it that there is no cycle.
func asked(hs []*Harness) (order []*Harness) {
	rest := slices.Clone(hs)
	for len(rest) > 0 {
		i := slices.IndexFunc(rest, func(h *Harness) bool { return !laterThanOne(h, rest) })
		order = append(order, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return order
}

// laterThanOne says whether one of the others must be asked before h.
func laterThanOne(h *Harness, others []*Harness) bool {
	return slices.ContainsFunc(others, func(o *Harness) bool {
		return o.Detect != nil && slices.ContainsFunc(o.Detect.Before, func(s descriptor.Str) bool { return s.Text == h.ID.Text })
	})
}

func runtime(h *Harness) *harness.Runtime {
	r := &harness.Runtime{ID: h.ID.Text, Name: h.Name.Text, Family: h.Family.Text}
	if d := h.Detect; d != nil {
		for _, p := range d.Env {
			r.Markers = append(r.Markers, harness.Marker{Key: p.Key.Text, In: textsOf(p.In), NotIn: textsOf(p.NotIn), Match: p.Match.Text})
		}
		for _, p := range d.Process {
			r.Processes = append(r.Processes, harness.Process{Exe: p.Exe.Text, Script: p.Script.Text})
		}
		for _, f := range d.Files {
			r.Files = append(r.Files, f.Text)
		}
		r.SessionEnv = textsOf(d.SessionEnv)
	}
	for _, c := range h.Capabilities {
		r.Ranges = append(r.Ranges, versions(c))
	}
	return r
}

func versions(c descriptor.Capability) harness.Range {
	r := harness.Range{
		Until: c.Until.Text, AsOf: c.AsOf.Text,
		Hooks: c.Hooks.Text, Startup: c.Startup.Text, GUPP: c.GUPP.Text,
		Stall: c.Stall.D, Nudge: c.Nudge.D, NudgeSupport: c.NudgeSupport.Text,
		ContextFork: c.ContextFork, Restart: c.Restart,
		SessionEnv: textsOf(c.SessionIDEnv), Commands: commands(c),
	}
	if !c.NudgeSupport.Set() {
		r.NudgeSupport = "filesystem" // works everywhere: the agent looks for itself
	}
	for _, l := range c.Labels {
		r.Labels = append(r.Labels, harness.Label{Cell: l.Key, Word: l.Value.Text})
	}
	return r
}

func commands(c descriptor.Capability) (list []harness.Command) {
	if c.Startup.Text != "startup_fallback" {
		return nil
	}
	for _, t := range c.StartupCommands {
		list = append(list, harness.Command{Line: t.Text})
	}
	if list == nil {
		return startupDefault
	}
	return list
}

// textsOf leaves out what is empty: session_id_env: "" says that there is none.
func textsOf(list []descriptor.Str) (texts []string) {
	for _, s := range list {
		if s.Text != "" {
			texts = append(texts, s.Text)
		}
	}
	return texts
}

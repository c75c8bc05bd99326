package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/setup"
	"github.com/lorimer-dev/lorimer/internal/status"
)

// ofAgents looks at each agent that hooks were compiled for, or that shows itself here.
func (p *patient) ofAgents(ctx context.Context) error {
	receipts := p.receipts()
	for _, a := range p.seen.Agents {
		i := slices.IndexFunc(p.Table, func(h *harness.Harness) bool { return h.ID == a.ID })
		if !a.Hookable || len(p.IDs) > 0 && !slices.Contains(p.IDs, a.ID) {
			continue
		}
		p.agents = append(p.agents, agent{a.ID, a.Name})
		p.installed(a)
		if !p.view.Lists(a.ID) {
			p.add(a.ID, Scope, Note, "it gets no hooks from this clone", "lorimer init, or add it to `harnesses:` in lorimer.yaml")
			continue
		}
		p.agent(ctx, p.Table[i], a, receipts)
	}
	for _, id := range p.IDs {
		if !slices.ContainsFunc(p.agents, func(a agent) bool { return a.id == id }) {
			p.agents = append(p.agents, agent{id, id})
			p.add(id, Installed, Problem, "it is not found, neither on PATH nor by its files in the clone, and gets no hooks from it", "install it, then lorimer init")
		}
	}
	return ctx.Err()
}

// agent looks at one that gets hooks.
func (p *patient) agent(ctx context.Context, h *harness.Harness, a setup.Agent, receipts []status.Handler) {
	if m, ok := p.planned(h.ID); ok {
		p.level(m)
		p.hostTrust(h, m, a.Program != "", receipts)
		p.probe(ctx, m)
	}
	p.shadowed(h)
	p.twice(h.ID)
	p.fires(h, receipts)
	if p.Live {
		p.live(ctx, h, a)
	}
}

func (p *patient) installed(a setup.Agent) {
	version, where := a.Says()
	if a.Program == "" {
		p.add(a.ID, Installed, Note, where, "install it, or take it out of the list")
		return
	}
	p.add(a.ID, Installed, OK, where, "")
	switch {
	case a.Version != "" && a.Version == a.Certified:
		p.add(a.ID, Version, OK, version, "")
	default:
		p.add(a.ID, Version, Note, version, "lorimer doctor --live "+a.ID+" proves the one that is installed")
	}
}

func (p *patient) planned(id string) (m materialize.Harness, ok bool) {
	if p.plan == nil {
		return m, false
	}
	i := slices.IndexFunc(p.plan.Harnesses, func(x materialize.Harness) bool { return x.ID == id })
	if i < 0 {
		return m, false
	}
	return p.plan.Harnesses[i], true
}

// level says where the agent has its hooks.
func (p *patient) level(m materialize.Harness) {
	switch own := strings.HasPrefix(m.File, "~/"); {
	case m.Itself:
		p.add(m.ID, Scope, OK, "it runs these hooks by itself, from its own files", "")
	case len(m.Events) == 0:
		p.add(m.ID, Scope, Note, "no handler runs in it, so nothing is hooked", "")
	case own:
		p.add(m.ID, Scope, OK, "your own files, for every clone that wants it: "+m.File, "")
	default:
		p.add(m.ID, Scope, OK, "this clone: "+m.File, "")
	}
	if !m.Itself && len(m.Events) > 0 && !p.bad(m.ID, Files) && !p.bad(m.ID, Edited) {
		p.add(m.ID, Files, OK, m.File+" is what materialize writes", "")
	}
}

// probe sends the probe through the agent's own file.
func (p *patient) probe(ctx context.Context, m materialize.Harness) {
	if p.bad(m.ID, Files) || p.bad(m.ID, Edited) {
		p.add(m.ID, Probe, Note, "not sent: the agent's file is not what it should be", "")
		return
	}
	var came []string
	for _, x := range p.setup.Probe(ctx, p.Root, []materialize.Harness{m}) {
		if x.Proven {
			came = append(came, string(x.Event))
			continue
		}
		p.add(m.ID, Probe, Problem, fmt.Sprintf("%s: %s", x.Event, x.What), p.cure(m.ID))
	}
	if len(came) > 0 {
		p.add(m.ID, Probe, OK, "it came through, and was obeyed where the agent can be held up: "+strings.Join(came, ", "), "")
	}
}

// cure is what most likely mends a probe that did not come through.
func (p *patient) cure(id string) string {
	for _, f := range p.Findings {
		if f.Level == Problem && f.Do != "" && (f.Harness == "" || f.Harness == id) && f.Check != Probe {
			return f.Do
		}
	}
	return "lorimer conform " + id + " shows whether it is lorimer; then please report it"
}

func (p *patient) twice(id string) {
	for _, x := range p.seen.Overlaps {
		if x.Harness != id {
			continue
		}
		level, do := Note, ""
		if x.Twice {
			level = Problem
		}
		what, remedy, _ := strings.Cut(x.Text, "; ")
		if x.Twice {
			do = remedy
		} else {
			what = x.Text
		}
		p.add(id, Twice, level, what, do)
	}
}

// receipts are what is known of real runs.
func (p *patient) receipts() []status.Handler {
	c := status.Command{Options: p.Options}
	r, err := c.Look(p.Root)
	if err != nil {
		return nil // said already
	}
	return r.Handlers
}

// fires looks at whether events come in real sessions.
func (p *patient) fires(h *harness.Harness, receipts []status.Handler) {
	sessions := 0
	var said []harness.Event
	for _, r := range receipts {
		if r.Harness != h.ID {
			continue
		}
		sessions = max(sessions, r.Sessions)
		if r.NeverFires() && !slices.Contains(said, r.Event) {
			said = append(said, r.Event)
			p.add(h.ID, Fires, Problem, fmt.Sprintf("%s never came in %d sessions", r.Event, r.Sessions),
				fmt.Sprintf("restart %s where it runs, and look at its own trust; lorimer doctor --live %s shows whether this version still has the event", h.Name, h.ID))
		}
	}
	if sessions > 0 && len(said) == 0 {
		p.add(h.ID, Fires, OK, fmt.Sprintf("its events came in %d sessions since these hooks were compiled", sessions), "")
	}
}

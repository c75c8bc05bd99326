package matrix

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/meant"
)

// Build makes the matrix of the plan's harnesses. proofs has their records in its folder proofs. asOf is a label of capabilities
// (seed); with it only the harnesses that had such versions are there, and of them what is known of those versions.
func Build(p *plan.Plan, proofs fs.FS, asOf string) (Matrix, error) {
	m := Matrix{AsOf: asOf, Harnesses: []Harness{}}
	shown := effectsShown(p)
	for _, h := range p.Harnesses {
		session, known := sessionOf(h, asOf)
		if !known || h.ID.Text == fallback {
			continue
		}
		r, err := recordOf(proofs, h.ID.Text)
		if err != nil {
			return Matrix{}, err
		}
		m.Harnesses = append(m.Harnesses, column(h, r, session, shown, asOf != ""))
	}
	if len(m.Harnesses) == 0 && asOf != "" {
		return Matrix{}, fmt.Errorf("no harness has capabilities as of %q; expected one of %s", asOf, strings.Join(labels(p), ", "))
	}
	return m, nil
}

// fallback is the HAL's row for what nobody recognised, which is no harness.
const fallback = "unknown"

func labels(p *plan.Plan) (all []string) {
	for _, h := range p.Harnesses {
		for _, c := range h.Capabilities {
			if c.AsOf.Set() && !slices.Contains(all, c.AsOf.Text) {
				all = append(all, c.AsOf.Text)
			}
		}
	}
	return all
}

// effectsShown are the effects that some harness has, by event.
func effectsShown(p *plan.Plan) map[harness.Event][]harness.Effect {
	shown := map[harness.Event][]harness.Effect{}
	for _, e := range harness.Events {
		for _, effect := range harness.Effects {
			has := func(h *plan.Harness) bool { return slices.Contains(can(h, e), effect) }
			if effect != harness.Continue && slices.ContainsFunc(p.Harnesses, has) { // a blocked stop is what continues
				shown[e] = append(shown[e], effect)
			}
		}
	}
	return shown
}

func bindingOf(h *plan.Harness, e harness.Event) (harness.Binding, bool) {
	i := slices.IndexFunc(h.Bindings, func(b harness.Binding) bool { return b.Event == e })
	if i < 0 {
		return harness.Binding{}, false
	}
	return h.Bindings[i], true
}

func can(h *plan.Harness, e harness.Event) []harness.Effect {
	b, _ := bindingOf(h, e)
	return b.Can
}

func column(h *plan.Harness, r Record, s *Session, shown map[harness.Event][]harness.Effect, past bool) Harness {
	c := Harness{
		ID: h.ID.Text, Name: h.Name.Text, Homepage: h.Homepage.Text, Kind: string(h.Kind), Joined: joined(h), Session: s,
		Sources: []Source{}, Events: []Event{}, Polarity: polarity(h.Polarity),
	}
	for _, n := range h.Notes {
		c.Sources = append(c.Sources, Source{n.Date.Text, n.Text.Text, n.Source.Text})
	}
	if n := len(h.Certified); n > 0 && !past {
		x := h.Certified[n-1]
		c.Proof = &Proof{x.Package.Text, x.Version.Text, x.Date.Text, x.Evidence.Text}
	}
	if h.Trust != nil && !h.Trust.None {
		c.Trust = h.Trust.Do.Text
	}
	if past { // rows and answers are those of today's versions
		return c
	}
	for _, e := range harness.Events {
		c.Events = append(c.Events, event(h, r, e, shown[e]))
	}
	return c
}

func event(h *plan.Harness, r Record, e harness.Event, shown []harness.Effect) Event {
	b, has := bindingOf(h, e)
	out := Event{Event: e, Host: b.Host, Effects: []Effect{}}
	switch why := h.Partly(e); {
	case !has:
		out.Cell = absent(h)
	case why != "":
		out.Cell = Cell{State: Partly, Why: why, Proven: r.by(e, "")}
	default:
		out.Cell = Cell{State: Yes, Proven: r.by(e, "")}
	}
	if b.Limit > 0 {
		out.Limit = short(b.Limit)
	}
	for _, x := range shown {
		cell := out.Cell
		switch {
		case has && b.Has(x):
			cell.Proven = r.by(e, x)
		case has:
			cell = Cell{State: No}
		}
		out.Effects = append(out.Effects, Effect{x, cell})
	}
	return out
}

// absent is the cell of an event without a row.
func absent(h *plan.Harness) Cell {
	switch n := len(h.Capabilities); {
	case h.Kind != harness.Bare:
		return Cell{State: No}
	case n > 0 && h.Capabilities[n-1].Hooks.Text == "none":
		return Cell{State: No, Why: "it has no hooks"}
	}
	return Cell{State: Unknown, Why: "lorimer does not hook it yet"}
}

func joined(h *plan.Harness) string {
	switch h.Kind {
	case harness.Generative:
		return "module " + h.Shim.File.Project.Text
	case harness.External:
		f := h.Hooks.Files
		for _, file := range []descriptor.FilePath{f.Local, f.Shared, f.User} {
			if file.Set() {
				return "hooks in " + file.Text
			}
		}
	}
	return "recognised only"
}

func polarity(p *descriptor.Polarity) []Fault {
	if p == nil {
		return nil
	}
	return []Fault{
		{"exit code 1", p.Exit1.Text == "block"}, {"another exit code", p.ExitOther.Text == "block"},
		{"a missing program", p.Missing.Text == "block"}, {"the time limit", p.Timeout.Text == "block"},
	}
}

// sessionOf is the range of versions that a label stands for, or the newest; false when there is none.
func sessionOf(h *plan.Harness, asOf string) (*Session, bool) {
	n := len(h.Capabilities)
	if n == 0 {
		return nil, asOf == ""
	}
	c := h.Capabilities[n-1]
	if asOf != "" {
		i := slices.IndexFunc(h.Capabilities, func(c descriptor.Capability) bool { return c.AsOf.Text == asOf })
		if i < 0 {
			return nil, false
		}
		c = h.Capabilities[i]
	}
	nudge := c.NudgeSupport.Text
	if nudge == "" {
		nudge = "filesystem"
	}
	return &Session{
		Until: c.Until.Text, Hooks: c.Hooks.Text, Startup: c.Startup.Text, GUPP: c.GUPP.Text, Nudge: nudge,
		ContextFork: c.ContextFork, Restart: c.Restart,
	}, true
}

// short is a duration without the parts that are nothing: 10m, not 10m0s.
func short(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// Only is the matrix of some harnesses, in their order; none = all of them. It fails when one is not there.
func (m Matrix) Only(ids []string) (Matrix, error) {
	if len(ids) == 0 {
		return m, nil
	}
	var known []string
	some := Matrix{AsOf: m.AsOf}
	for _, h := range m.Harnesses {
		known = append(known, h.ID)
	}
	for _, id := range ids {
		i := slices.Index(known, id)
		if i < 0 {
			return Matrix{}, fmt.Errorf("there is no harness %q here; expected one of %s%s", id, strings.Join(known, ", "), meant.Ending(id, known))
		}
		some.Harnesses = append(some.Harnesses, m.Harnesses[i])
	}
	return some, nil
}

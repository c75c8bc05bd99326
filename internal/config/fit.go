package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Fit holds the handlers against what the harnesses can do. Faults (strictyaml.Faults) are what must not be materialized;
// warnings are what will not happen, one line each.
func (c *Config) Fit(picked []*harness.Harness) (warnings []string, err error) {
	f := fitter{Config: c, warnings: slices.Clone(c.warnings)}
	for i := range c.Handlers {
		if h := &c.Handlers[i]; h.On() {
			f.handler(h, picked)
		}
	}
	f.natives(picked)
	f.warnings = append(f.warnings, c.byOtherRules(picked)...)
	return f.warnings, f.faults.Err()
}

// natives says so when all that was found is what runs the hooks by itself.
func (f *fitter) natives(picked []*harness.Harness) {
	if f.inPlace && len(f.Handlers) > 0 && len(Native(picked)) == len(picked) {
		f.warnings = append(f.warnings, fmt.Sprintf("%s runs these hooks by itself, and no other coding agent is found, so there is nothing to do; name one with --harness ID",
			picked[0].Name))
	}
}

type fitter struct {
	*Config
	faults   strictyaml.Faults
	warnings []string
}

// at is something about a handler, at its place; nothing has a place but what is written.
func (f *fitter) at(h *Handler, pos strictyaml.Pos, hint, format string, args ...any) strictyaml.Fault {
	if pos.IsZero() {
		pos = h.Pos
	}
	fault := strictyaml.At(cmp.Or(h.File, f.file), pos, format, args...)
	fault.Hint = hint
	return fault
}

func (f *fitter) warn(h *Handler, pos strictyaml.Pos, hint, format string, args ...any) {
	f.warnings = append(f.warnings, f.at(h, pos, hint, format, args...).String())
}

func (f *fitter) handler(h *Handler, picked []*harness.Harness) {
	ids := IDs(picked)
	for _, s := range h.Harnesses {
		if !slices.Contains(ids, s.Text) {
			f.warn(h, s.Pos, "", "handler %q is for %s, which is not in use here (in use: %s)", h.Name.Text, s.Text, strings.Join(ids, ", "))
		}
	}
	for _, x := range picked {
		if h.In(x.ID) {
			f.pair(h, x)
		}
	}
}

// pair judges one handler in one harness.
func (f *fitter) pair(h *Handler, x *harness.Harness) {
	b, ok := x.Binding(h.Event.Event)
	if h.Redacts.B && !b.Has(harness.RewriteOutput) {
		fault := f.at(h, h.Redacts.Pos, "leave that agent out for this handler: "+without(h, x), "handler %q redacts, but %s cannot be given another result of a tool",
			h.Name.Text, x.Name)
		f.faults = append(f.faults, fault)
	}
	if !ok {
		f.warn(h, h.Event.Pos, "", "handler %q never runs in %s, which has no %s", h.Name.Text, x.Name, h.Event.Event)
		return
	}
	f.timeout(h, x, b)
	f.block(h, x, b)
	// A session's start can be given context and nothing else.
	if h.Event.Event == harness.SessionStart && !b.Has(harness.Context) && !h.Async.B {
		f.warn(h, h.Event.Pos, "", "what handler %q prints reaches no model in %s, which takes no context at %s", h.Name.Text, x.Name, h.Event.Event)
	}
}

// without is how a handler is kept out of a harness.
func without(h *Handler, x *harness.Harness) string {
	if len(h.Harnesses) > 0 {
		return "take it out of `harnesses:`"
	}
	ids := []string{}
	for _, s := range h.Not {
		ids = append(ids, s.Text)
	}
	return fmt.Sprintf("`not: [%s]`", strings.Join(append(ids, x.ID), ", "))
}

// timeout: what does not fit into the host's own limit would be cut short there, so what holds then has to be said.
func (f *fitter) timeout(h *Handler, x *harness.Harness, b harness.Binding) {
	inner := harness.Inner(b.Limit)
	if b.Limit == 0 || h.Timeout.D <= inner || h.OnLimit.Set() {
		return
	}
	if h.Claude {
		if !h.Timeout.Set() { // Claude's default: nobody asked for it
			return
		}
		f.warn(h, h.Timeout.Pos, "", "handler %q has %s in %s, which ends %s after %s", h.Name.Text, inner, x.Name, h.Event.Event, b.Limit)
		return
	}
	fault := f.at(h, h.Timeout.Pos, "or say what holds when its time is cut short: on_limit: allow, or on_limit: block",
		"handler %q takes up to %s, but %s ends %s after %s", h.Name.Text, h.Timeout.Text, x.Name, h.Event.Event, b.Limit)
	fault.Expected = fmt.Sprintf("at most %s", inner)
	f.faults = append(f.faults, fault)
}

func (f *fitter) block(h *Handler, x *harness.Harness, b harness.Binding) {
	if b.Has(harness.Block) {
		return
	}
	const hint = "it runs there all the same, and its verdict is said aloud"
	if h.Block.Or(false) {
		f.warn(h, h.Block.Pos, hint, "handler %q cannot block %s in %s", h.Name.Text, h.Event.Event, x.Name)
	}
	if h.FailsClosed() {
		f.warn(h, h.OnError.Pos, hint, "handler %q cannot block %s in %s, so on_error: block has no effect there",
			h.Name.Text, h.Event.Event, x.Name)
	}
	if h.OnLimit.Text == "block" {
		f.warn(h, h.OnLimit.Pos, hint, "handler %q cannot block %s in %s, so on_limit: block has no effect there",
			h.Name.Text, h.Event.Event, x.Name)
	}
}

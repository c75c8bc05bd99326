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

// warn says something about a handler; nothing has a place but what is written.
func (f *fitter) warn(h *Handler, pos strictyaml.Pos, format string, args ...any) {
	if pos.IsZero() {
		pos = h.Pos
	}
	f.warnings = append(f.warnings, strictyaml.At(cmp.Or(h.File, f.file), pos, format, args...).String())
}

func (f *fitter) handler(h *Handler, picked []*harness.Harness) {
	ids := IDs(picked)
	for _, s := range h.Harnesses {
		if !slices.Contains(ids, s.Text) {
			f.warn(h, s.Pos, "handler %q is for %s, which is not in use here (in use: %s)", h.Name.Text, s.Text, strings.Join(ids, ", "))
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
	if !ok {
		f.warn(h, h.Event.Pos, "handler %q never runs in %s, which has no %s", h.Name.Text, x.Name, h.Event.Event)
		return
	}
	if inner := harness.Inner(b.Limit); b.Limit > 0 && h.Timeout.D > inner && !h.OnLimit.Set() {
		if h.Claude {
			f.warn(h, h.Timeout.Pos, "handler %q has %s in %s, which ends %s after %s", h.Name.Text, inner, x.Name, h.Event.Event, b.Limit)
			return
		}
		fault := strictyaml.At(f.file, h.Timeout.Pos, "handler %q takes up to %s, but %s ends %s after %s",
			h.Name.Text, h.Timeout.Text, x.Name, h.Event.Event, b.Limit)
		fault.Expected = fmt.Sprintf("at most %s", inner)
		fault.Hint = "or say what holds when its time is cut short: on_limit: allow, or on_limit: block"
		f.faults = append(f.faults, fault)
	}
	if b.Has(harness.Block) {
		return
	}
	if h.Block.Or(false) {
		f.warn(h, h.Block.Pos, "handler %q cannot block %s in %s", h.Name.Text, h.Event.Event, x.Name)
	}
	if h.FailsClosed() {
		f.warn(h, h.OnError.Pos, "handler %q cannot block %s in %s, so on_error: block has no effect there",
			h.Name.Text, h.Event.Event, x.Name)
	}
}

package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Fit holds the handlers against what the harnesses can do. Faults (strictyaml.Faults) are what must not be materialized;
// warnings are what will not happen, one line each.
func (c *Config) Fit(picked []*harness.Harness) (warnings []string, err error) {
	f := fitter{Config: c}
	for i := range c.Handlers {
		if h := &c.Handlers[i]; h.On() {
			f.handler(h, picked)
		}
	}
	return f.warnings, f.faults.Err()
}

type fitter struct {
	*Config
	faults   strictyaml.Faults
	warnings []string
}

func (f *fitter) warn(pos strictyaml.Pos, format string, args ...any) {
	f.warnings = append(f.warnings, strictyaml.At(f.file, pos, format, args...).String())
}

func (f *fitter) handler(h *Handler, picked []*harness.Harness) {
	ids := IDs(picked)
	for _, s := range h.Harnesses {
		if !slices.Contains(ids, s.Text) {
			f.warn(s.Pos, "handler %q is for %s, which is not in use here (in use: %s)", h.Name.Text, s.Text, strings.Join(ids, ", "))
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
		f.warn(h.Event.Pos, "handler %q never runs in %s, which has no %s", h.Name.Text, x.Name, h.Event.Event)
		return
	}
	if inner := harness.Inner(b.Limit); b.Limit > 0 && h.Timeout.D > inner && !h.OnLimit.Set() {
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
		f.warn(h.Block.Pos, "handler %q cannot block %s in %s", h.Name.Text, h.Event.Event, x.Name)
	}
	if h.FailsClosed() {
		f.warn(h.OnError.Pos, "handler %q cannot block %s in %s, so on_error: block has no effect there",
			h.Name.Text, h.Event.Event, x.Name)
	}
}

package shim

import (
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// configLine is what materialize rewrites for each clone. As generated it is a shim that works from PATH, wants every event
// and fails open.
func configLine(h *plan.Harness) string {
	c := harness.ShimConfig{
		Protocol:         harness.Protocol,
		Harness:          h.ID.Text,
		Dispatcher:       []string{"lorimer-dispatch"},
		FailClosed:       []harness.Event{},
		MaxContinuations: harness.DefaultMaxContinuations,
	}
	for _, b := range h.Bindings {
		c.Events = append(c.Events, b.Event)
	}
	return c.Line() + "\n"
}

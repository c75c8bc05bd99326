// Package driver emits how the supervisor runs a harness: go/driver/<id>.go, one harness.Driver for each descriptor that has a
// headless section, and all.go, which lists them. They stand apart from go/table, so that the dispatcher does not carry them.
package driver

import (
	"github.com/lorimer-dev/lorimer/gen/gofile"
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
)

// Emit returns one file for each harness that can be driven, and all.go.
func Emit(p *plan.Plan) ([]output.File, error) {
	return gofile.Rows{
		Package: "driver", Type: "Driver",
		About: "one row a harness: how the supervisor starts it, reads it and counts what it used.",
		All:   "every harness that can be driven, in the order of the ids.",
		Has:   func(h *plan.Harness) bool { return h.Headless != nil },
		Is:    func(h *plan.Harness) string { return "is how " + h.About() + " is driven." },
		Row:   func(h *plan.Harness) any { return row(h) },
	}.Emit(p.Harnesses)
}

// Package certified emits what certification needs of a harness: go/certified/<id>.go, one harness.Certified for each descriptor
// that has a runtime section, and all.go, which lists them. For a host that loads modules it also emits <id>/probe.mjs, a module
// that writes down what the host fires.
package certified

import (
	"github.com/lorimer-dev/lorimer/gen/gofile"
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Emit returns the files of each harness that can be installed, and all.go.
func Emit(p *plan.Plan) ([]output.File, error) {
	files, err := gofile.Rows{
		Package: "certified", Type: "Certified",
		About: "one row a harness: the version that is answered for, and what must be true of it.",
		All:   "every harness that can be installed, in the order of the ids.",
		Has:   installed,
		Is:    func(h *plan.Harness) string { return "is the version of " + h.About() + " that is answered for." },
		Row:   func(h *plan.Harness) any { return row(h) },
	}.Emit(p.Harnesses)
	for _, h := range p.Harnesses {
		if installed(h) && h.Kind == harness.Generative && h.Contract != nil {
			files = append(files, output.File{Path: harness.Probe(h.ID.Text), Data: []byte(probe(h))})
		}
	}
	return files, err
}

func installed(h *plan.Harness) bool { return h.Runtime != nil }

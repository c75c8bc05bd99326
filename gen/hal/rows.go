package hal

import (
	"github.com/lorimer-dev/lorimer/gen/gofile"
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// goFiles returns one file a row, and all.go, which lists them in the order of asking.
func goFiles(p *plan.Plan) ([]output.File, error) {
	byID, rows := map[string]*plan.Harness{}, map[*plan.Harness]*harness.Runtime{}
	for _, h := range p.Harnesses {
		byID[h.ID.Text] = h
	}
	var asked []*plan.Harness
	for _, r := range p.Runtimes {
		h := byID[r.ID]
		asked, rows[h] = append(asked, h), r
	}
	return gofile.Rows{
		Package: "runtimes", Type: "Runtime",
		About: "what the Runtime HAL knows of each harness.",
		All:   "the rows in the order in which they are asked: a harness that sets another's variables too comes before it.",
		Is:    func(h *plan.Harness) string { return "is how " + rows[h].Name + " is recognised, and what it can." },
		Row:   func(h *plan.Harness) any { return *rows[h] },
	}.Emit(asked)
}

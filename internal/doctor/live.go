package doctor

import (
	"context"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/setup"
)

// live runs the installed agent, with a model behind it that says what a case wants, in a throwaway clone and home. The files in
// it are those that materialize writes, so where this clone's are the same they are proven, too.
func (p *patient) live(ctx context.Context, h *harness.Harness, a setup.Agent) {
	if a.Program == "" {
		p.add(h.ID, Live, Note, "it is not on PATH, so it was not run", "install it")
		return
	}
	rows, err := conform.Run(ctx, conform.Config{
		Table: p.Table, Golden: p.Golden, ID: h.ID, Dispatcher: p.Bundled, Handler: p.Handler, Program: []string{a.Program}, Only: conform.Essential,
	})
	if err != nil {
		p.add(h.ID, Live, Note, "it was not run: "+err.Error(), "")
		return
	}
	for _, r := range rows {
		name := strings.TrimPrefix(r.Case, "real: ")
		switch r.Result {
		case conform.OK:
			p.add(h.ID, Live, OK, name, "")
		case conform.Cannot:
			p.add(h.ID, Live, Note, name+": "+r.Why, "")
		default:
			p.add(h.ID, Live, Problem, name+": expected "+r.Expected+", seen: "+r.Seen,
				"lorimer conform "+h.ID+" --real shows all cases; use the version that lorimer was proven on ("+h.Certified+"), or report this")
		}
	}
}

package engine

import (
	"path/filepath"

	"github.com/lorimer-dev/lorimer/internal/gremlin/usage"
)

// Usage adds up the ledger of a run.
func (e *Engine) Usage(log string, q usage.Query) (usage.Report, error) {
	r, err := e.open(log)
	if err != nil {
		return usage.Report{}, err
	}
	if err := r.called(); err != nil {
		return usage.Report{}, err
	}
	return usage.Read(r.file("ledger.jsonl"), q)
}

// Heads gives the commits that a run's jobs ended at, where that was another than they began at.
func (e *Engine) Heads(log string) (usage.Heads, error) {
	r, err := e.open(log)
	if err != nil {
		return nil, err
	}
	reg, err := r.read()
	if err != nil {
		return nil, err
	}
	return func(job string) string {
		j := reg.Jobs[job]
		if j == nil || j.HeadAtEnd == j.HeadAtStart || len(j.HeadAtEnd) < 7 {
			return ""
		}
		return j.HeadAtEnd[:7]
	}, nil
}

// Title is how a page names a run.
func Title(log string) string { return filepath.Base(log) }

package engine

import (
	"strconv"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// RebaseFlags are the flags of rebase.
type RebaseFlags struct {
	Run, Base, As string
	Phase         int
	DeltaNotes    []string
}

// Rebase makes a new base: a fork of the old one that has taken in what changed.
func (e *Engine) Rebase(f RebaseFlags) (Trained, error) {
	if err := e.outside("rebase"); err != nil {
		return Trained{}, err
	}
	r, err := e.open(f.Run)
	if err != nil {
		return Trained{}, err
	}
	delta, err := e.delta(f.DeltaNotes)
	if err != nil {
		return Trained{}, err
	}
	var job record.Job
	var call harness.Call
	var base record.Base
	err = r.change(func(reg *record.Registry) error {
		d, b, err := r.usableBase(reg, f.Base, false, "rebase")
		if err != nil {
			return err
		}
		if call, err = method(d, harness.Rebase); err != nil {
			return err
		}
		if err := newBase(reg, f.As); err != nil {
			return err
		}
		for _, j := range reg.RunningJobs(record.Rebase) {
			if j.As == f.As {
				return refuse("a rebase to %q runs already", f.As)
			}
		}
		if err := capped(reg); err != nil {
			return err
		}
		j := r.newJob(reg, record.Rebase)
		j.Base, j.As, j.Phase, j.ParentSession, j.BaseState = f.Base, f.As, f.Phase, b.SessionID, string(r.state(reg, b))
		j.Facts, j.HeadAtStart = r.facts(b.Launch, r.ttl(d, b.Launch)), r.head(b.Launch.CWD)
		if call.Chooses() {
			j.Session = newSession()
		}
		job, base = *j, *b
		return nil
	})
	if err != nil {
		return Trained{}, err
	}
	prompt, err := framed("rebase", map[string]string{"as": f.As, "base": f.Base, "run": r.log, "phase": number(f.Phase), "delta": delta})
	if err != nil {
		return Trained{}, r.abandon(job.Job, err)
	}
	out := Trained{Job: job.Job, Base: f.As, SessionID: record.Or(job.Session), Parent: f.Base}
	return out, r.begin(&job, call, base.SessionID, prompt)
}

func number(n int) string { return strconv.Itoa(n) }

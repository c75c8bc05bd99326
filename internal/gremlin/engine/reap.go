package engine

import (
	"context"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/proc"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// attachLimit is how long a supervisor that was started may take to say that it is there.
func (e *Engine) attachLimit() time.Duration {
	if e.AttachLimit > 0 {
		return e.AttachLimit
	}
	return time.Minute
}

// reap finishes the jobs whose supervisor has died, and ends what they left running.
func (r *run) reap() error {
	reg, err := r.read()
	if err != nil {
		return err
	}
	for _, j := range reg.RunningJobs() {
		if !r.lost(j) {
			continue
		}
		d, err := r.e.driver(reg.Launch.Harness)
		if err != nil {
			return err
		}
		if err := r.lose(d, j); err != nil {
			return err
		}
	}
	return nil
}

// lost says whether a running job has nobody who watches over it.
func (r *run) lost(j *record.Job) bool {
	if j.Supervisor.PID == 0 {
		return r.e.Now().Wall.Sub(j.Created.Time) > r.e.attachLimit()
	}
	return !r.e.Platform.Alive(j.Supervisor.PID, j.Supervisor.Ctime)
}

func (r *run) lose(d *harness.Driver, j *record.Job) error {
	killed := r.leftover(d, j)
	reason := record.ReasonSupervisorDead
	status := record.Lost
	if j.Stop != "" {
		status, reason = record.Killed, j.Stop
	}
	return r.adopt(d, j.Job, ending{
		status: status, reason: reason, survivors: killed.Survivors, treeRC: killed.TreeRC, wall: r.e.Now().Wall.Sub(j.Created.Time),
	})
}

// leftover ends what a job without a supervisor left running.
func (r *run) leftover(d *harness.Driver, j *record.Job) proc.Killed {
	p := r.processes(d, j)
	if until, ok := r.e.Platform.CtimeOf(float64(r.e.Now().Wall.UnixMilli()) / 1000); ok {
		p.Until = until
	}
	if d.TermWait > 0 {
		return p.Kill(context.Background(), d.TermWait, proc.Verify)
	}
	return p.Kill(context.Background(), proc.Grace, proc.Verify)
}

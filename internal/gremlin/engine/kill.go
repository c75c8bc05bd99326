package engine

import (
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/proc"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// Ended is what kill answers, and expire for each job.
type Ended struct {
	Job        string           `json:"job"`
	OK         bool             `json:"ok"`
	Status     string           `json:"status"`
	Killed     bool             `json:"killed"` // it ran when we came
	Survivors  []record.Process `json:"survivors"`
	TreeKillRC *int             `json:"tree_kill_rc"` // null on POSIX
}

// Kill ends a job, with everything that it started.
func (e *Engine) Kill(log, id string) (Ended, error) {
	if err := e.outside("kill"); err != nil {
		return Ended{}, err
	}
	r, err := e.open(log)
	if err != nil {
		return Ended{}, err
	}
	reg, err := r.read()
	if err != nil {
		return Ended{}, err
	}
	if reg.Jobs[id] == nil {
		return Ended{}, refuse("no job %q", id)
	}
	return r.end(id, record.ReasonKill)
}

// end asks a job's supervisor to end it, and does it itself where there is none.
func (r *run) end(id, reason string) (Ended, error) {
	ran := false
	err := r.changeJob(id, func(_ *record.Registry, j *record.Job) error {
		if ran = j.Status == record.Running; ran && j.Stop == "" {
			j.Stop = reason
		}
		return nil
	})
	if err != nil {
		return Ended{}, err
	}
	for limit := time.Now().Add(2*proc.Verify + proc.Grace); ; time.Sleep(20 * time.Millisecond) {
		reg, err := r.read()
		if err != nil {
			return Ended{}, err
		}
		j := reg.Jobs[id]
		if j.Status != record.Running || time.Now().After(limit) {
			return Ended{
				Job: id, OK: j.Status != record.Running && len(j.Survivors) == 0, Status: j.Status, Killed: ran,
				Survivors: j.Survivors, TreeKillRC: j.TreeKillRC,
			}, nil
		}
		if err := r.reap(); err != nil {
			return Ended{}, err
		}
	}
}

// Expiry is what expire answers.
type Expiry struct {
	Killed  []Ended  `json:"killed"`
	Retired []string `json:"retired"`
}

// Expire retires a base, or all of them, and ends their jobs. Transcripts stay as they are.
func (e *Engine) Expire(log, base string) (Expiry, error) {
	out := Expiry{Killed: []Ended{}, Retired: []string{}}
	if err := e.outside("expire"); err != nil {
		return out, err
	}
	r, err := e.open(log)
	if err != nil {
		return out, err
	}
	var jobs []string
	err = r.change(func(reg *record.Registry) error {
		if base != "" && reg.Bases[base] == nil {
			return refuse("no base %q", base)
		}
		for _, b := range reg.BasesInOrder() {
			if (base == "" || b.Base == base) && b.Status != record.Training {
				if b.Status != record.Retired {
					b.RetiredAt = e.now()
				}
				b.Status = record.Retired
				out.Retired = append(out.Retired, b.Base)
			}
		}
		for _, j := range reg.RunningJobs() {
			if base == "" || j.Base == base {
				jobs = append(jobs, j.Job)
			}
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	for _, id := range jobs {
		ended, err := r.end(id, record.ReasonExpire)
		if err != nil {
			return out, err
		}
		out.Killed = append(out.Killed, ended)
	}
	return out, nil
}

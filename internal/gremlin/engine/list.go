package engine

import (
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// Listed is what list answers.
type Listed struct {
	Bases []BaseRow `json:"bases"`
	Jobs  []JobRow  `json:"jobs"`
}

// BaseRow is a base.
type BaseRow struct {
	Base         string       `json:"base"`
	Status       string       `json:"status"`
	Model        string       `json:"model"`
	SessionID    *string      `json:"session_id"`
	Phase        int          `json:"phase"`
	TrainedAt    record.Stamp `json:"trained_at"`
	WarmUntil    record.Stamp `json:"warm_until"`
	BaseState    string       `json:"base_state"`
	Parent       *string      `json:"parent"`
	SupersededBy *string      `json:"superseded_by"`
	SupersededAt record.Stamp `json:"superseded_at"`
	RetiredAt    record.Stamp `json:"retired_at"`
	Gremlins     []string     `json:"gremlins"`
}

// JobRow is a job.
type JobRow struct {
	Job     string       `json:"job"`
	Kind    string       `json:"kind"`
	Method  *string      `json:"method"`
	Base    string       `json:"base"`
	Block   *string      `json:"block"`
	Phase   int          `json:"phase"`
	Status  string       `json:"status"`
	Reason  *string      `json:"reason"`
	Flags   []string     `json:"flags"`
	Session *string      `json:"session"`
	Created record.Stamp `json:"created"`
	Ended   record.Stamp `json:"ended"`
	Start   *string      `json:"head_at_start"`
	End     *string      `json:"head_at_end"`
}

// List shows what there is.
func (e *Engine) List(log string) (Listed, error) {
	out := Listed{Bases: []BaseRow{}, Jobs: []JobRow{}}
	r, err := e.open(log)
	if err != nil {
		return out, err
	}
	if err := r.called(); err != nil {
		return out, err
	}
	if err := r.reap(); err != nil {
		return out, err
	}
	reg, err := r.read()
	if err != nil {
		return out, err
	}
	return r.listed(reg), nil
}

// View is what a person watches: what List answers, and of each job that runs how it gets on.
type View struct {
	Listed
	Running []RunningJob
	Now     time.Time
}

// Peek looks and changes nothing: it is no call of an orchestrator, and what has ended meanwhile is for others to find.
func (e *Engine) Peek(log string) (View, error) {
	r, err := e.open(log)
	if err != nil {
		return View{}, err
	}
	reg, err := r.read()
	if err != nil {
		return View{}, err
	}
	v := View{Listed: r.listed(reg), Now: e.Now().Wall}
	for _, j := range reg.JobsInOrder() {
		if j.Status == record.Running {
			v.Running = append(v.Running, r.row(j))
		}
	}
	return v, nil
}

func (r *run) listed(reg *record.Registry) Listed {
	out := Listed{Bases: []BaseRow{}, Jobs: []JobRow{}}
	for _, b := range reg.BasesInOrder() {
		out.Bases = append(out.Bases, BaseRow{
			Base: b.Base, Status: b.Status, Model: b.Launch.Model, SessionID: record.Or(b.SessionID), Phase: b.Phase, TrainedAt: b.TrainedAt,
			WarmUntil: record.At(r.life(reg, b).Until(b.Touch.Warm())), BaseState: string(r.state(reg, b)), Parent: record.Or(b.Parent),
			SupersededBy: record.Or(b.SupersededBy), SupersededAt: b.SupersededAt, RetiredAt: b.RetiredAt, Gremlins: b.Gremlins,
		})
	}
	for _, j := range reg.JobsInOrder() {
		out.Jobs = append(out.Jobs, JobRow{
			Job: j.Job, Kind: j.Kind, Method: j.Method, Base: j.Base, Block: record.Or(j.Block), Phase: j.Phase, Status: j.Status,
			Reason: record.Or(j.Reason), Flags: j.Flags, Session: record.Or(j.Session), Created: j.Created, Ended: j.Ended,
			Start: record.Or(j.HeadAtStart), End: record.Or(j.HeadAtEnd),
		})
	}
	return out
}

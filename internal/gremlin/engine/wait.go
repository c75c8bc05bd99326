package engine

import (
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/store"
)

// Slice is the longest that one wait takes: a harness's shell tool has a limit of ten minutes.
const Slice = 540 * time.Second

// WaitFlags are the flags of wait.
type WaitFlags struct {
	Run     string
	All     bool          // until no job runs; else until one has ended
	Jobs    []string      // these alone; nil = every one
	Timeout time.Duration // 0 = Slice
}

// Waited is what wait answers.
type Waited struct {
	Done    []record.Result `json:"done"`
	Running []RunningJob    `json:"running"`
	Pings   []Pinged        `json:"pings"`
}

// RunningJob is a job that has not ended.
type RunningJob struct {
	Job      string  `json:"job"`
	Kind     string  `json:"kind"`
	Base     string  `json:"base"`
	Block    *string `json:"block"`
	Phase    int     `json:"phase"`
	Messages int     `json:"messages"`
	Stalled  bool    `json:"stalled"`
	WallS    float64 `json:"wall_s"`
}

// The exit codes of wait beside 0: call again, and not all went well.
const (
	ExitAgain  = 3
	ExitNotAll = 4
)

// Wait waits for jobs, keeps bases warm meanwhile, and reports each end once.
func (e *Engine) Wait(f WaitFlags) (out Waited, exit int, err error) {
	r, err := e.open(f.Run)
	if err != nil {
		return out, 0, err
	}
	if f.Timeout <= 0 || f.Timeout > Slice {
		f.Timeout = Slice
	}
	if err := r.known(f.Jobs); err != nil {
		return out, 0, err
	}
	out.Pings = []Pinged{}
	called, ticked := time.Time{}, time.Time{}
	for end := time.Now().Add(f.Timeout); ; time.Sleep(25 * time.Millisecond) {
		if time.Since(called) > 10*time.Second {
			called = time.Now()
			if err := r.called(); err != nil {
				return out, 0, err
			}
		}
		if err := r.reap(); err != nil {
			return out, 0, err
		}
		if time.Since(ticked) > time.Second && e.outside("tick") == nil {
			ticked = time.Now()
			out.Pings = append(out.Pings, r.pinged()...)
		}
		reg, err := r.read()
		if err != nil {
			return out, 0, err
		}
		running, ended := split(reg, f.Jobs)
		if len(running) > 0 && time.Now().Before(end) && (f.All || len(ended) == 0) {
			continue
		}
		return r.report(out, running, ended)
	}
}

// pinged are the pings that were started now.
func (r *run) pinged() (started []Pinged) {
	all, _ := r.tick()
	return slices.DeleteFunc(all, func(p Pinged) bool { return p.Job == nil })
}

func (r *run) known(jobs []string) error {
	reg, err := r.read()
	if err != nil {
		return err
	}
	for _, id := range jobs {
		if reg.Jobs[id] == nil {
			return refuse("no job %q", id)
		}
	}
	return nil
}

// split parts the jobs that are waited for: those that run, and those whose end was not reported yet.
func split(reg *record.Registry, only []string) (running, ended []*record.Job) {
	for _, j := range reg.JobsInOrder() {
		switch {
		case j.Kind == record.Ping || only != nil && !slices.Contains(only, j.Job):
		case j.Status == record.Running:
			running = append(running, j)
		case !j.Reported || only != nil:
			ended = append(ended, j)
		}
	}
	return running, ended
}

// report gives the results of what ended, and remembers that they were given.
func (r *run) report(out Waited, running, ended []*record.Job) (Waited, int, error) {
	out.Done, out.Running = []record.Result{}, []RunningJob{}
	exit := 0
	for _, j := range ended {
		var res record.Result
		if err := store.ReadJSON(r.file("results", j.Job+".json"), &res); err != nil {
			return out, 0, err
		}
		if res.Status != record.OK {
			exit = ExitNotAll
		}
		out.Done = append(out.Done, res)
	}
	for _, j := range running {
		out.Running = append(out.Running, r.row(j))
		exit = ExitAgain
	}
	if len(ended) == 0 || r.e.getenv(ChildMarker) != "" {
		return out, exit, nil
	}
	return out, exit, r.change(func(reg *record.Registry) error {
		for _, j := range ended {
			if j := reg.Jobs[j.Job]; j != nil {
				j.Reported = true
			}
		}
		return nil
	})
}

func (r *run) row(j *record.Job) RunningJob {
	return RunningJob{
		Job: j.Job, Kind: j.Kind, Base: j.Base, Block: record.Or(j.Block), Phase: j.Phase, Messages: j.Messages, Stalled: j.Stalled,
		WallS: float64(r.e.Now().Wall.Sub(j.Created.Time).Milliseconds()/100) / 10,
	}
}

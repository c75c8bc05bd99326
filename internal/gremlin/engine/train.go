package engine

import (
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// TrainFlags are the flags of train.
type TrainFlags struct {
	Run, Base, Brief, Supersedes string
	Phase                        int
}

// Trained is what train and rebase answer.
type Trained struct {
	Job       string  `json:"job"`
	Base      string  `json:"base"`
	SessionID *string `json:"session_id"`       // null where the harness chooses it
	Parent    string  `json:"parent,omitempty"` // rebase: the old base
}

// Train starts the training of a base.
func (e *Engine) Train(f TrainFlags) (Trained, error) {
	if err := e.outside("train"); err != nil {
		return Trained{}, err
	}
	r, err := e.open(f.Run)
	if err != nil {
		return Trained{}, err
	}
	text, err := e.brief(f.Brief)
	if err != nil {
		return Trained{}, err
	}
	var job record.Job
	var call harness.Call
	err = r.change(func(reg *record.Registry) error {
		d, err := e.driver(reg.Launch.Harness)
		if err != nil {
			return err
		}
		if call, err = method(d, harness.Train); err != nil {
			return err
		}
		if err := newBase(reg, f.Base); err != nil {
			return err
		}
		if f.Supersedes != "" && reg.Bases[f.Supersedes] == nil {
			return refuse("--supersedes: no base %q", f.Supersedes)
		}
		if !exists(reg.Launch.Binary.Path) {
			return &Refusal{Text: "the program of " + d.Name + " is gone; run init again", More: map[string]any{"path": reg.Launch.Binary.Path}}
		}
		j := r.newJob(reg, record.Train)
		j.Base, j.Phase, j.Supersedes, j.HeadAtStart = f.Base, f.Phase, f.Supersedes, r.head(reg.Launch.CWD)
		if call.Chooses() {
			j.Session = newSession()
		}
		ttl := r.ttl(d, reg.Launch)
		j.Facts = r.facts(reg.Launch, ttl)
		reg.Bases[f.Base] = &record.Base{
			Base: f.Base, Status: record.Training, SessionID: j.Session, Phase: f.Phase, Created: j.Created, Launch: reg.Launch,
			TTLS: int(ttl.Seconds()), Gremlins: []string{}, Facts: j.Facts,
		}
		job = *j
		return nil
	})
	if err != nil {
		return Trained{}, err
	}
	prompt, err := framed("train", map[string]string{"base": f.Base, "run": r.log, "notes": r.file("notes"), "brief": text})
	if err == nil {
		err = r.begin(&job, call, "", prompt)
	}
	return Trained{Job: job.Job, Base: f.Base, SessionID: record.Or(job.Session)}, err
}

// newBase refuses a name that is taken. A base whose training failed is none.
func newBase(reg *record.Registry, name string) error {
	if name == "" {
		return refuse("a base needs a name")
	}
	if b := reg.Bases[name]; b != nil {
		return refuse("base %q exists already (%s); choose another name", name, b.Status)
	}
	return nil
}

// begin prepares and launches a job, or takes it back.
func (r *run) begin(j *record.Job, c harness.Call, base, prompt string) error {
	reg, err := r.read()
	if err != nil {
		return r.abandon(j.Job, err)
	}
	launch := reg.Launch
	if b := reg.Bases[j.Base]; b != nil {
		launch = b.Launch
	}
	if err := r.prepare(j, launch, c, base, prompt); err != nil {
		return r.abandon(j.Job, err)
	}
	return r.launch(j.Job)
}

package engine

import (
	"slices"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// SpawnFlags are the flags of spawn.
type SpawnFlags struct {
	Run, Base, Block, Brief, Mode, Method string
	Phase                                 int
	Paths, DeltaNotes                     []string
	MaxMinutes, MaxBudgetUSD              float64
	Force                                 bool
}

// Spawned is what spawn answers.
type Spawned struct {
	Job        string       `json:"job"`
	Base       string       `json:"base"`
	Method     string       `json:"method"`
	BaseState  string       `json:"base_state"`
	WarmUntil  record.Stamp `json:"warm_until"`
	RebaseDue  bool         `json:"rebase_due"`
	RetrainDue bool         `json:"retrain_due"`
	Reasons    []string     `json:"reasons"`
}

// Spawn starts a gremlin for one block.
func (e *Engine) Spawn(f SpawnFlags) (Spawned, error) {
	if err := e.outside("spawn"); err != nil {
		return Spawned{}, err
	}
	if err := checkSpawn(&f); err != nil {
		return Spawned{}, err
	}
	r, err := e.open(f.Run)
	if err != nil {
		return Spawned{}, err
	}
	text, err := e.brief(f.Brief)
	if err != nil {
		return Spawned{}, err
	}
	delta, err := e.delta(f.DeltaNotes)
	if err != nil {
		return Spawned{}, err
	}
	var job record.Job
	var call harness.Call
	var base record.Base
	out := Spawned{Base: f.Base, Method: f.Method}
	err = r.change(func(reg *record.Registry) error {
		d, b, err := r.usableBase(reg, f.Base, f.Force, "spawn from")
		if err != nil {
			return err
		}
		if call, err = method(d, harness.Fork); err != nil {
			return err
		}
		if f.MaxBudgetUSD > 0 && !call.Takes("budget") {
			return refuse("%s cannot be told --max-budget-usd: it would spend what it likes", d.Name)
		}
		if err := capped(reg); err != nil {
			return err
		}
		r.assess(&out, reg, d, b, f, text)
		j := r.newJob(reg, record.Spawn)
		j.Base, j.Block, j.Phase, j.Mode, j.Paths, j.Method = f.Base, f.Block, f.Phase, f.Mode, f.Paths, &out.Method
		j.ParentSession, j.BaseState, j.MaxMinutes, j.BudgetUSD = b.SessionID, out.BaseState, f.MaxMinutes, f.MaxBudgetUSD
		j.Facts, j.HeadAtStart = r.facts(b.Launch, r.ttl(d, b.Launch)), r.head(b.Launch.CWD)
		if call.Chooses() {
			j.Session = newSession()
		}
		b.Gremlins = append(b.Gremlins, j.Job)
		job, base, out.Job = *j, *b, j.Job
		return nil
	})
	if err != nil {
		return Spawned{}, err
	}
	words := map[string]string{
		"block": f.Block, "base": f.Base, "run": r.log, "phase": number(f.Phase), "delta": delta,
		"commit_rule": commitRule(f.Mode), "note": r.file(noteOf(f.Block)), "brief": text,
	}
	words["note_form"], err = prompt("note", words)
	if err != nil {
		return Spawned{}, r.abandon(job.Job, err)
	}
	words["note_form"] = quoted(words["note_form"])
	prompt, err := framed("spawn", words)
	if err != nil {
		return Spawned{}, r.abandon(job.Job, err)
	}
	return out, r.begin(&job, call, base.SessionID, prompt)
}

func checkSpawn(f *SpawnFlags) error {
	if f.Method == "" {
		f.Method = harness.Fork
	}
	if f.Mode == "" {
		f.Mode = "sequential"
	}
	if f.Paths == nil {
		f.Paths = []string{}
	}
	switch {
	case f.Method != harness.Fork:
		return refuse("--method %s is not known; the only one is fork", f.Method)
	case f.Block == "":
		return refuse("spawn needs --block")
	case f.Mode != "sequential" && f.Mode != "parallel":
		return refuse("--mode is sequential or parallel, not %s", f.Mode)
	case f.Mode == "parallel" && len(f.Paths) == 0:
		return refuse("--mode parallel needs --paths (the files this gremlin may touch)")
	case f.MaxMinutes < 0, f.MaxBudgetUSD < 0:
		return refuse("--max-minutes and --max-budget-usd must not be negative")
	}
	return nil
}

func commitRule(mode string) string {
	if mode == "parallel" {
		return "This gremlin runs in parallel with other gremlins: do NOT commit; list the paths you touched in your note."
	}
	return "This gremlin commits: stage explicit paths only, once the block's gate has passed."
}

// usableBase is a base that sessions can be forked from.
func (r *run) usableBase(reg *record.Registry, name string, force bool, verb string) (*harness.Driver, *record.Base, error) {
	d, err := r.e.driver(reg.Launch.Harness)
	if err != nil {
		return nil, nil, err
	}
	b := reg.Bases[name]
	switch {
	case b == nil:
		return nil, nil, refuse("no base %q; train one first", name)
	case b.Status == record.Training || b.SessionID == "":
		return nil, nil, refuse("base %q is still training; a session is not forked in mid-turn", name)
	case b.Status != record.Active && !force:
		return nil, nil, refuse("base is not active (use --force to %s it anyway)", verb)
	case !exists(b.Launch.Binary.Path):
		return nil, nil, &Refusal{Text: "binary_missing: the program that base " + name + " was trained with is gone; train a base with the new one",
			More: map[string]any{"path": b.Launch.Binary.Path}}
	}
	return d, b, nil
}

// capped refuses beyond what the run allows at once.
func capped(reg *record.Registry) error {
	if n := len(reg.RunningJobs(record.CappedKinds...)); n >= reg.Launch.ParallelCap {
		return refuse("%d gremlins run already (parallel_cap %d); wait for one to end", n, reg.Launch.ParallelCap)
	}
	return nil
}

// assess says how warm the base is, and whether it has had its day.
func (r *run) assess(out *Spawned, reg *record.Registry, d *harness.Driver, b *record.Base, f SpawnFlags, brief string) {
	out.BaseState = string(r.state(reg, b))
	out.WarmUntil = record.At(r.life(reg, b).Until(b.Touch.Warm()))
	l := warm.Launch{
		BasePhase: b.Phase, Phase: f.Phase, BaseContext: b.Context, Window: b.Window, Rebases: b.Rebases,
		DeltaTokens: r.deltaTokens(brief, f.DeltaNotes, b.TrainedAt.Time), LastContext: r.largest(reg, b),
		Drift: warm.Differ(d.Prefix, b.Facts, r.facts(reg.Launch, r.ttl(d, reg.Launch))),
	}
	limits := warm.Limits{
		DeltaTokens: reg.Launch.DeltaTokens, GrowthShare: reg.Launch.ContextGrowth, ContextShare: reg.Launch.ContextShare,
		RebasesInARow: reg.Launch.MaxRebases,
	}
	out.RebaseDue, out.RetrainDue, out.Reasons = warm.Due(l, limits)
	if out.Reasons == nil {
		out.Reasons = []string{}
	}
}

// largest is the largest context that a gremlin of the base had.
func (r *run) largest(reg *record.Registry, b *record.Base) (most int64) {
	for _, id := range b.Gremlins {
		if j := reg.Jobs[id]; j != nil {
			most = max(most, j.Context)
		}
	}
	return most
}

// ContinueFlags are the flags of continue.
type ContinueFlags struct {
	Run, Job, Brief string
	MaxMinutes      float64
}

// Continued is what continue answers.
type Continued struct {
	Job string `json:"job"`
}

// Continue gives a gremlin one more turn. The brief is sent as it is.
func (e *Engine) Continue(f ContinueFlags) (Continued, error) {
	if err := e.outside("continue"); err != nil {
		return Continued{}, err
	}
	r, err := e.open(f.Run)
	if err != nil {
		return Continued{}, err
	}
	text, err := e.brief(f.Brief)
	if err != nil {
		return Continued{}, err
	}
	var job record.Job
	var call harness.Call
	err = r.change(func(reg *record.Registry) error {
		of := reg.Jobs[f.Job]
		switch {
		case of == nil:
			return refuse("no job %q", f.Job)
		case of.Kind != record.Spawn:
			return refuse("continue takes a spawn job")
		case of.Status == record.Running:
			return refuse("the gremlin is still running")
		case of.Session == "":
			return refuse("the gremlin has no session")
		}
		running := reg.RunningJobs(record.Continue)
		if slices.ContainsFunc(running, func(j *record.Job) bool { return j.Session == of.Session }) {
			return refuse("the gremlin is still running")
		}
		d, b, err := r.usableBase(reg, of.Base, true, "use")
		if err != nil {
			return err
		}
		if call, err = method(d, harness.ContinueIt); err != nil {
			return err
		}
		if err := capped(reg); err != nil {
			return err
		}
		j := r.newJob(reg, record.Continue)
		j.Base, j.Block, j.Phase, j.Of, j.Session, j.ParentSession = of.Base, of.Block, of.Phase, of.Job, of.Session, of.Session
		j.Facts, j.MaxMinutes, j.HeadAtStart = r.facts(b.Launch, r.ttl(d, b.Launch)), f.MaxMinutes, r.head(b.Launch.CWD)
		job = *j
		return nil
	})
	if err != nil {
		return Continued{}, err
	}
	return Continued{job.Job}, r.begin(&job, call, job.Session, text)
}

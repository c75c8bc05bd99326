package record

import (
	"cmp"
	"maps"
	"slices"
)

// Registry is registry.json: everything of a run but what its jobs used.
type Registry struct {
	Schema       int              `json:"schema"`
	Run          string           `json:"run"` // the run log
	Created      Stamp            `json:"created"`
	Orchestrator Stamp            `json:"orchestrator"` // its last call
	Launch       Launch           `json:"launch"`
	Next         int              `json:"next"` // number of the next job
	Bases        map[string]*Base `json:"bases"`
	Jobs         map[string]*Job  `json:"jobs"`

	// Totals are what sessions have used so far, where a harness counts so: a fork's count goes on from its parent's.
	Totals map[string]Tokens `json:"totals,omitempty"`
}

// Launch is how the run's sessions are started, and what holds for all of them.
type Launch struct {
	Harness        string  `json:"harness"`
	Model          string  `json:"model"` // a full id
	Effort         string  `json:"effort"`
	Agent          string  `json:"agent"`
	CWD            string  `json:"cwd"`
	Binary         Binary  `json:"binary"`
	Tools          string  `json:"tools"`
	AllowedTools   string  `json:"allowed_tools"`
	PermissionMode string  `json:"permission_mode"`
	Pings          bool    `json:"pings"`
	WarmMarginS    int     `json:"warm_margin_s"`
	ParallelCap    int     `json:"parallel_cap"`
	OrphanAfterS   int     `json:"orphan_after_s"`
	DeltaTokens    int64   `json:"delta_tokens"`
	ContextGrowth  float64 `json:"context_growth"`
	ContextShare   float64 `json:"context_share"`
	MaxRebases     int     `json:"max_rebases"`
}

// Binary is the harness's program.
type Binary struct {
	Path       string `json:"path"`
	ResolvedBy string `json:"resolved_by"` // --binary, $NAME or PATH
	Version    string `json:"version"`
}

// Base is a session that gremlins are spawned from.
type Base struct {
	Base         string            `json:"base"`
	Status       string            `json:"status"`
	SessionID    string            `json:"session_id"`
	Phase        int               `json:"phase"`
	Created      Stamp             `json:"created"`
	TrainedAt    Stamp             `json:"trained_at"`
	Touch        Touch             `json:"touch"`
	TTLS         int               `json:"ttl_s"` // 0 = no cache is known
	Context      int64             `json:"context_tokens"`
	Window       int64             `json:"window_tokens"`
	Parent       string            `json:"parent"`
	Rebases      int               `json:"rebases"` // since the last training
	SupersededBy string            `json:"superseded_by"`
	SupersededAt Stamp             `json:"superseded_at"`
	RetiredAt    Stamp             `json:"retired_at"`
	Gremlins     []string          `json:"gremlins"`
	Launch       Launch            `json:"launch"` // as it was trained
	Facts        map[string]string `json:"facts"`  // what its prefix depends on
	LastState    string            `json:"last_state"`
}

// Job is one run of the harness.
type Job struct {
	Job           string            `json:"job"`
	Kind          string            `json:"kind"`
	Method        *string           `json:"method"` // how a spawn makes its session; nil on other kinds
	Base          string            `json:"base"`
	Block         string            `json:"block"`
	Phase         int               `json:"phase"`
	Status        string            `json:"status"`
	Reason        string            `json:"reason"`
	Created       Stamp             `json:"created"`
	Ended         Stamp             `json:"ended"`
	Session       string            `json:"session"`
	ParentSession string            `json:"parent_session"`
	Mode          string            `json:"mode"`
	Paths         []string          `json:"paths"`
	Of            string            `json:"of"`         // continue: the spawn
	As            string            `json:"as"`         // rebase: the new base
	Supersedes    string            `json:"supersedes"` // train: the old base
	BaseState     string            `json:"base_state"`
	Facts         map[string]string `json:"facts"`
	MaxMinutes    float64           `json:"max_minutes"`
	BudgetUSD     float64           `json:"max_budget_usd"`
	HeadAtStart   string            `json:"head_at_start"`
	HeadAtEnd     string            `json:"head_at_end"`

	Supervisor Process   `json:"supervisor"`
	Harness    Process   `json:"harness"`
	Known      []Process `json:"known"` // other processes of the job that were seen
	Began      bool      `json:"began"` // the model has taken the prompt
	Messages   int       `json:"messages"`
	Stalled    bool      `json:"stalled"`
	Stop       string    `json:"stop"` // somebody asked the supervisor to end it, and why
	Reported   bool      `json:"reported"`
	Inactive   string    `json:"rebase_inactive_parent,omitempty"`
	Flags      []string  `json:"flags"`
	Context    int64     `json:"context_tokens"` // of its last request; 0 = not known
	Survivors  []Process `json:"survivors"`      // what could not be ended
	TreeKillRC *int      `json:"tree_kill_rc"`
}

// New is an empty registry.
func New(run string, now Stamp, launch Launch) *Registry {
	return &Registry{Schema: Schema, Run: run, Created: now, Launch: launch, Next: 1, Bases: map[string]*Base{}, Jobs: map[string]*Job{}}
}

// JobsInOrder lists the jobs as they were made.
func (r *Registry) JobsInOrder() []*Job {
	return slices.SortedFunc(maps.Values(r.Jobs), func(a, b *Job) int {
		return cmp.Or(cmp.Compare(len(a.Job), len(b.Job)), cmp.Compare(a.Job, b.Job))
	})
}

// BasesInOrder lists the bases as they were made.
func (r *Registry) BasesInOrder() []*Base {
	return slices.SortedFunc(maps.Values(r.Bases), func(a, b *Base) int {
		return cmp.Or(a.Created.Compare(b.Created.Time), cmp.Compare(a.Base, b.Base))
	})
}

// RunningJobs lists the jobs that have no result yet, of the given kinds, or of all.
func (r *Registry) RunningJobs(kinds ...string) (jobs []*Job) {
	for _, j := range r.JobsInOrder() {
		if j.Status == Running && (len(kinds) == 0 || slices.Contains(kinds, j.Kind)) {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// Raise adds a flag, once.
func (j *Job) Raise(flags ...string) {
	for _, f := range flags {
		if !slices.Contains(j.Flags, f) {
			j.Flags = append(j.Flags, f)
		}
	}
}

// Lower takes a flag back.
func (j *Job) Lower(flag string) {
	j.Flags = slices.DeleteFunc(j.Flags, func(f string) bool { return f == flag })
}

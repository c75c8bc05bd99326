package engine

import (
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// pingLimit is how long a keep-warm call may take.
const pingLimit = 5 * time.Minute

// Pinged is a decision about one base.
type Pinged struct {
	Base     string  `json:"base"`
	Decision string  `json:"decision"` // ping, or why not
	Reason   string  `json:"reason"`
	Job      *string `json:"job"` // of the ping that was started
}

// Ticked is what tick answers.
type Ticked struct {
	Pings []Pinged `json:"pings"`
}

// Tick decides for each base whether it is to be kept warm, and does it.
func (e *Engine) Tick(log string) (Ticked, error) {
	if err := e.outside("tick"); err != nil {
		return Ticked{}, err
	}
	r, err := e.open(log)
	if err != nil {
		return Ticked{}, err
	}
	pings, err := r.tick()
	return Ticked{pings}, err
}

func (r *run) tick() ([]Pinged, error) {
	reg, err := r.read()
	if err != nil {
		return nil, err
	}
	decisions := []Pinged{}
	for _, b := range reg.BasesInOrder() {
		p, err := r.decide(b.Base)
		if err != nil {
			return decisions, err
		}
		decisions = append(decisions, p)
	}
	return decisions, nil
}

// decide is the decision for one base, with the ping that follows from it.
func (r *run) decide(name string) (Pinged, error) {
	out := Pinged{Base: name}
	var job record.Job
	var call harness.Call
	var session string
	err := r.change(func(reg *record.Registry) error {
		b := reg.Bases[name]
		if b == nil {
			return nil
		}
		d, err := r.e.driver(reg.Launch.Harness)
		if err != nil {
			return err
		}
		c := r.candidate(reg, d, b)
		// After a jump of the clock it is only called cold, because nobody knows.
		if now := r.e.Now(); !warm.Jumped(b.Touch.Warm(), now) && warm.Missed(warm.State(b.LastState), c.State, c, now.Wall) {
			r.missed(reg, b)
		}
		b.LastState = string(c.State)
		decision := warm.Decide(c, r.e.Now().Wall)
		out.Decision, out.Reason = decision.Reason, decision.Reason
		if !decision.Ping || !exists(b.Launch.Binary.Path) {
			return nil
		}
		out.Decision = "ping"
		call = d.Methods[d.Cache.KeepBy]
		j := r.newJob(reg, record.Ping)
		j.Base, j.Phase, j.ParentSession, j.BaseState = name, latestPhase(reg, b), b.SessionID, string(c.State)
		j.Facts = r.facts(b.Launch, r.ttl(d, b.Launch))
		j.MaxMinutes = pingLimit.Minutes()
		job, session, out.Job = *j, b.SessionID, &job.Job
		return nil
	})
	if err != nil || job.Job == "" {
		return out, err
	}
	text, err := prompt("ping", nil)
	if err != nil {
		return out, r.abandon(job.Job, err)
	}
	return out, r.begin(&job, call, session, text)
}

// latestPhase is that of the newest work on a base: the phase whose account a ping is for.
func latestPhase(reg *record.Registry, b *record.Base) int {
	phase := b.Phase
	for _, j := range reg.JobsInOrder() {
		if j.Base == b.Base && (j.Kind == record.Spawn || j.Kind == record.Continue) {
			phase = j.Phase
		}
	}
	return phase
}

func (r *run) candidate(reg *record.Registry, d *harness.Driver, b *record.Base) warm.Candidate {
	c := warm.Candidate{
		Status: b.Status, Pings: reg.Launch.Pings, State: r.state(reg, b),
		Work: reg.Orchestrator.Time, Within: seconds(reg.Launch.OrphanAfterS),
	}
	if d.Cache != nil && d.Cache.KeepBy != "" {
		_, c.Can = d.Methods[d.Cache.KeepBy]
	}
	for _, j := range reg.RunningJobs() {
		switch {
		case j.Kind == record.Ping && j.Base == b.Base:
			c.Running = true
		case j.Kind != record.Ping:
			c.Work = r.e.Now().Wall
		}
	}
	return c
}

// missed flags the jobs that will pay for it.
func (r *run) missed(reg *record.Registry, b *record.Base) {
	for _, j := range reg.RunningJobs() {
		if j.Base == b.Base {
			j.Raise(record.PingMissed)
		}
	}
}

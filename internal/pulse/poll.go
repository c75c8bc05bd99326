package pulse

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/lorimer-dev/lorimer/internal/state"
)

// Poll waits for work for one agent.
type Poll struct {
	Dir      string // the state directory
	Agent    string
	Runtime  string        // of the agent, for its heartbeat
	Interval time.Duration // between two looks
	Timeout  time.Duration // 0 = look once
	Nudges   bool          // a nudge ends the wait, too
	DryRun   bool          // look once, and leave no heartbeat
}

// Found is what a poll ended with.
type Found struct {
	Agent      string          `json:"agent"`
	Status     string          `json:"status"`     // of its hook; empty when it has none
	Assignment json.RawMessage `json:"assignment"` // its hook file as it stands; null = no work
	Nudge      json.RawMessage `json:"nudge"`      // the newest nudge, unless a poll has returned it before; else null
	Waited     float64         `json:"waited"`     // seconds
	Warnings   []string        `json:"warnings"`   // files that were passed over
}

// Done says whether there was something to return for.
func (p Poll) Done(f Found) bool { return f.Assignment != nil || p.Nudges && f.Nudge != nil }

// Run looks at once and then at each interval, until there is work, the time is up or ctx ends; that is no error. It leaves a
// heartbeat at each look, so that who polls does not look stalled. The error says that the agent's name cannot be a file's or
// that the heartbeat cannot be written.
func (p Poll) Run(ctx context.Context) (Found, error) {
	if state.FileName(p.Agent) != p.Agent {
		return Found{}, fmt.Errorf("%q cannot be an agent's id; expected letters, digits, -, _ and dots between them", p.Agent)
	}
	began := time.Now()
	r := &reader{dir: p.Dir}
	for {
		r.now = time.Now()
		f, seen := p.look(r)
		f.Waited = time.Since(began).Round(time.Millisecond).Seconds()
		f.Warnings = append([]string{}, r.warnings...)
		if p.DryRun {
			return f, nil
		}
		if err := p.beat(seen, p.Done(f)); err != nil {
			return f, err
		}
		left := p.Timeout - time.Since(began)
		if p.Done(f) || left <= 0 || !sleep(ctx, min(p.Interval, left)) {
			return f, nil
		}
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// nudges is what a look saw of them.
type nudges struct {
	told, newest time.Time // the last one that a poll returned, and the newest there is
}

// look looks once.
func (p Poll) look(r *reader) (f Found, n nudges) {
	f.Agent = p.Agent
	hook := r.object("hooks", p.Agent+".json")
	f.Status = hook.text("status")
	if a := (agent{status: f.Status, work: hook.get("workItem", "work_item")}); hook != nil && a.works() {
		f.Assignment, _ = json.Marshal(hook)
	}
	n.told, _ = r.object("heartbeats", p.Agent+".json").moment("lastNudge")
	nudge := r.object("nudge", p.Agent, "latest.json")
	n.newest = n.told
	if t := p.sentAt(r, nudge); t.After(n.told) {
		n.newest = t
		f.Nudge, _ = json.Marshal(nudge)
	}
	return f, n
}

// sentAt is when a nudge was sent: what it says itself, else when its file was written.
func (p Poll) sentAt(r *reader, nudge object) time.Time {
	if nudge == nil {
		return time.Time{}
	}
	path := filepath.Join(p.Dir, "nudge", p.Agent, "latest.json")
	t, err := nudge.moment("timestamp")
	if err != nil {
		r.warn(path, err)
	}
	if t.IsZero() {
		t = changed(path)
	}
	return t.Truncate(time.Millisecond) // what a heartbeat keeps of it
}

// beat writes the heartbeat. A nudge counts as told once a poll returns.
func (p Poll) beat(n nudges, returns bool) error {
	told := n.told
	if returns {
		told = n.newest
	}
	beat := struct {
		AgentID   string `json:"agentId"`
		Runtime   string `json:"runtime"`
		State     string `json:"state"`
		Timestamp string `json:"timestamp"`
		LastNudge string `json:"lastNudge,omitempty"`
	}{p.Agent, p.Runtime, "polling", time.Now().UTC().Format(time.RFC3339Nano), stamp(told)}
	data, err := json.MarshalIndent(beat, "", "  ")
	if err != nil {
		return err
	}
	return state.Write(filepath.Join(p.Dir, "heartbeats", p.Agent+".json"), append(data, '\n'))
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

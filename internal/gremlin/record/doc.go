// Package record is what a run of gremlins remembers: the registry with its bases and jobs, and the result of each finished job.
// The names and words are a contract with whoever reads the files: keys come and go with [Schema] alone.
package record

import (
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/proc"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
)

// Schema is the version of the registry's form.
const Schema = 1

// The kinds of jobs.
const (
	Train    = "train"    // makes a base
	Spawn    = "spawn"    // a gremlin for one block
	Continue = "continue" // one more turn of a gremlin
	Rebase   = "rebase"   // makes a base of a fork of one
	Ping     = "ping"     // keeps a base warm
)

// The kinds of jobs, for those who count.
var (
	UsageKinds  = []string{Train, Spawn, Continue, Rebase, Ping}
	HitKinds    = []string{Spawn, Continue, Rebase} // those that start from a cache
	CappedKinds = []string{Spawn, Continue, Rebase} // those that parallel_cap counts
)

// The states of a job.
const (
	Running = "running"
	OK      = "ok"
	Failed  = "failed"
	Timeout = "timeout"
	Killed  = "killed"
	Lost    = "lost"
)

// The states of a base.
const (
	Training   = "training"
	Active     = "active"
	Superseded = "superseded"
	Retired    = "retired"
)

// The flags of a result.
const (
	Stalled        = "stalled"
	NeedsAttention = "needs_attention" // permission denials, or an end that hooks forced
	UsageMismatch  = "usage_mismatch"
	TTLDowngrade   = "ttl_downgrade"
	ColdStart      = "cold_start"
	ClockJump      = "clock_jump"
	PingMissed     = "ping_missed"
	Orphaned       = "orphaned"
	Expired        = "expired"
	ParentInactive = "parent_inactive"
)

// The reasons that are the supervisor's own; a harness's row adds those of its runs.
const (
	ReasonKill            = "kill"
	ReasonExpire          = "expire"
	ReasonOrphaned        = "orphaned"
	ReasonSupervisorDead  = "supervisor_dead"
	ReasonDetachFailed    = "detach_failed"
	ReasonLaunchError     = "launch_error"
	ReasonSupervisorError = "supervisor_error"
)

// Stamp is a moment, as it stands in every file: UTC, to the millisecond.
type Stamp struct{ time.Time }

// At is a moment's stamp.
func At(t time.Time) Stamp { return Stamp{t.UTC().Truncate(time.Millisecond)} }

const stampForm = `"2006-01-02T15:04:05.000Z"`

// MarshalJSON writes null for no moment.
func (s Stamp) MarshalJSON() ([]byte, error) {
	if s.IsZero() {
		return []byte("null"), nil
	}
	return []byte(s.UTC().Format(stampForm)), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Stamp) UnmarshalJSON(b []byte) (err error) {
	if string(b) == "null" {
		*s = Stamp{}
		return nil
	}
	s.Time, err = time.Parse(stampForm, string(b))
	return err
}

// Touch is when a base's cache was last used, on both clocks.
type Touch struct {
	At   Stamp  `json:"at"`
	UpMS int64  `json:"up_ms"`
	Boot string `json:"boot"`
}

// Warm is the same for package warm.
func (t Touch) Warm() warm.Touch {
	return warm.Touch{Wall: t.At.Time, Up: time.Duration(t.UpMS) * time.Millisecond, Boot: t.Boot}
}

// Process is a process that belongs to a job.
type Process = proc.Record

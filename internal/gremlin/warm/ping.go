package warm

import "time"

// Candidate is a base that might be touched to keep it warm.
type Candidate struct {
	Status  string // active, training, superseded or retired
	Pings   bool   // the run wants them
	Can     bool   // the harness has a call that touches and leaves nothing behind
	Running bool   // a ping of this base runs
	State   State
	Work    time.Time     // when a job of the run last ran, or an orchestrator last called
	Within  time.Duration // how long after that there may still be work
}

// Decision is whether to ping, and why or why not, in one word for the log.
type Decision struct {
	Ping   bool
	Reason string
}

// Decide is the whole rule. Only a base that is expiring is touched: a warm one needs nothing, and a cold one would be paid for
// in full, which only a spawn should do.
func Decide(c Candidate, now time.Time) Decision {
	switch {
	case c.Status != "active":
		return Decision{Reason: "status:" + c.Status}
	case !c.Pings:
		return Decision{Reason: "pings_off"}
	case !c.Can:
		return Decision{Reason: "no_ping_method"}
	case c.Running:
		return Decision{Reason: "ping_running"}
	case c.State != Expiring:
		return Decision{Reason: string(c.State)}
	case now.Sub(c.Work) > c.Within:
		return Decision{Reason: "no_work_left"}
	}
	return Decision{Ping: true, Reason: "expiring"}
}

// Missed says whether a base went cold although it should have been touched: it was warm at the last look, work was left, and
// no ping was made.
func Missed(before, after State, c Candidate, now time.Time) bool {
	if before == Cold || after != Cold {
		return false
	}
	c.State = Expiring
	return Decide(c, now).Ping
}

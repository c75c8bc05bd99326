// Package warm decides what the supervisor has to know of a prompt cache that it cannot see: whether a base is still warm, what a
// call's bill says of it, whether to touch it, and when a base has had its day. All of it is a function of facts and a clock that
// is given; nothing is read or started here.
package warm

import (
	"math"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// State is what is believed of a base's cache before a call.
type State string

const (
	Warm     State = "warm"
	Expiring State = "expiring" // inside the margin before its end
	Cold     State = "cold"     // over, or not known
)

// Life is how long a cache lives, and how long before its end it counts as expiring.
type Life struct {
	TTL    time.Duration // 0 = the harness has no cache that we know of
	Margin time.Duration // as asked for
}

// Effective is the margin that counts: more than half of the life would ping without pause.
func (l Life) Effective() time.Duration { return min(l.Margin, l.TTL/2) }

// TTL is the life that a harness's cache has under these facts: env.NAME, and those of the launch. 0 when there is no cache.
func TTL(c *harness.CacheLife, fact func(key string) (string, bool)) time.Duration {
	if c == nil {
		return 0
	}
	for _, t := range c.TTL {
		if harness.AllHold(t.When, fact) {
			return t.For
		}
	}
	return 0
}

// Touch is the last call that is known to have read or written the cache.
type Touch struct {
	Wall time.Time     // zero = there was none
	Up   time.Duration // the monotonic clock at that time; it does not count while the machine sleeps
	Boot string        // of that clock; empty where two processes' clocks do not compare
}

// Now is the present on both clocks.
type Now = Touch

// Jump is by how much the two clocks may disagree before neither is believed.
const Jump = 60 * time.Second

// Jumped says whether the wall clock was set, or the machine slept, since the touch.
func Jumped(t Touch, now Now) bool {
	if t.Wall.IsZero() || t.Boot == "" || t.Boot != now.Boot {
		return false
	}
	apart := now.Wall.Round(0).Sub(t.Wall.Round(0)) - (now.Up - t.Up)
	return apart > Jump || apart < -Jump || now.Wall.Before(t.Wall.Add(-Jump))
}

// Until is when the cache ends; zero when it was never touched or has no life.
func (l Life) Until(t Touch) time.Time {
	if t.Wall.IsZero() || l.TTL == 0 {
		return time.Time{}
	}
	return t.Wall.Add(l.TTL)
}

// State tells how warm a base is. After a jump of the clock nothing is known, and that is cold.
func (l Life) State(t Touch, now Now) State {
	until := l.Until(t)
	switch {
	case until.IsZero(), Jumped(t, now), !now.Wall.Before(until):
		return Cold
	case now.Wall.Before(until.Add(-l.Effective())):
		return Warm
	}
	return Expiring
}

// Verdict is what a call's bill says of the cache.
type Verdict string

const (
	Hit     Verdict = "hit"
	Partial Verdict = "partial" // often no more than the system prompt, which every session shares
	Miss    Verdict = "miss"
	None    Verdict = "" // nothing was billed
)

// Bill is what a call used: in the cache, and beside it.
type Bill struct{ Input, Read, Write, Write1h int64 }

// DefaultShare is the share of the base's context that has to be read for a hit, where the harness's row says none.
const DefaultShare = 0.8

// Judge compares what was read with the base's context, in tokens. A context that is not known (0) makes no hit.
func Judge(b Bill, context int64, share float64) Verdict {
	if share == 0 {
		share = DefaultShare
	}
	switch {
	case b.Input+b.Read+b.Write == 0:
		return None
	case b.Read == 0:
		return Miss
	case context > 0 && float64(b.Read) >= math.Floor(share*float64(context)):
		return Hit
	}
	return Partial
}

// Downgraded says whether a cache that was to live an hour was written for five minutes.
func Downgraded(b Bill, ttl time.Duration) bool { return ttl >= time.Hour && b.Write > b.Write1h }

package status

import (
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// Only what was to block can fail open, and only where nobody but the dispatcher knows that it was.
func TestFailsOpen(t *testing.T) {
	shim := &harness.Harness{Shim: &harness.Shim{}}
	told := &harness.Harness{Hooks: &harness.Hooks{HostFailsClosed: true}, Polarity: &harness.Polarity{}}
	untold := &harness.Harness{Hooks: &harness.Hooks{FailClosed: "x"}, Polarity: &harness.Polarity{Exit1: true, ExitOther: true, Timeout: true}}
	strictHost := &harness.Harness{Hooks: &harness.Hooks{}, Polarity: &harness.Polarity{Missing: true}}
	strict := manifest.Handler{Block: true, OnError: manifest.BlockOnFault}
	lax := manifest.Handler{Block: true, OnError: manifest.AllowOnFault}
	observer := manifest.Handler{OnError: manifest.BlockOnFault}
	for _, c := range []struct {
		h    *harness.Harness
		x    manifest.Handler
		want bool
	}{{untold, strict, true}, {untold, lax, false}, {untold, observer, false}, {told, strict, false}, {strictHost, strict, false}, {shim, strict, false}} {
		if got := failsOpen(c.h, c.x); got != c.want {
			t.Errorf("%+v, %+v: %v", c.h.Hooks, c.x, got)
		}
	}
}

package status

import (
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/receipt"
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

// A row says what the receipt of its own handler in its own harness says.
func TestProof(t *testing.T) {
	last := time.Date(2026, 11, 30, 12, 0, 0, 0, time.Local)
	receipts := []receipt.Receipt{
		{Harness: "one", Handler: "other", Count: 9}, {Harness: "two", Handler: "guard", Count: 9},
		{Harness: "one", Handler: "guard", Last: last, Count: 200, Blocked: 3, Faults: 2, Version: "1.2"},
		{Harness: "two", Handler: "guard", Count: 9}, {Harness: "one", Handler: "other", Count: 9},
	}
	for i := range 50 {
		receipts[2].Micros = append(receipts[2].Micros, int64(1000*(50-i)))
	}
	h := Handler{Harness: "one", Handler: "guard", Event: harness.Stop}
	h.prove(receipts)
	if h.Count != 200 || h.Blocked != 3 || h.Faults != 2 || h.P50 != 26 || h.P95 != 48 || !h.Last.Equal(last) || h.Version != "1.2" {
		t.Errorf("%+v", h)
	}
	if got, want := h.proof(), "ran 200 times, last 2026-11-30 12:00, 26.0 ms (95 %: 48.0), blocked 3, failed 2, in 1.2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Only an event that every session has counts as one that stays away, and only after some sessions.
func TestNeverFires(t *testing.T) {
	for _, c := range []struct {
		h    Handler
		want bool
	}{
		{Handler{Event: harness.Stop, Sessions: fewSessions}, true},
		{Handler{Event: harness.Stop, Sessions: fewSessions - 1}, false},
		{Handler{Event: harness.Stop, Sessions: fewSessions, Arrives: true}, false},
		{Handler{Event: harness.Stop, Sessions: fewSessions, Count: 1}, false},
		{Handler{Event: harness.Notification, Sessions: fewSessions}, false},
	} {
		if got := c.h.NeverFires(); got != c.want {
			t.Errorf("%+v: %v", c.h, got)
		}
	}
	if fewSessions != 3 {
		t.Errorf("docs/hooks.md and the help say three sessions, not %d", fewSessions)
	}
}

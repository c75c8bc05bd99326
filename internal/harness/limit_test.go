package harness

import (
	"testing"
	"time"
)

func TestInner(t *testing.T) {
	for limit, want := range map[time.Duration]time.Duration{
		0:                       595 * time.Second,
		1500 * time.Millisecond: 1125 * time.Millisecond, 20 * time.Second: 15 * time.Second, 600 * time.Second: 595 * time.Second,
	} {
		if got := Inner(limit); got != want {
			t.Errorf("Inner(%s) = %s, want %s", limit, got, want)
		}
	}
}

func TestPatienceEndsBetweenInnerAndTheLimit(t *testing.T) {
	for _, limit := range []time.Duration{1500 * time.Millisecond, 30 * time.Second, DefaultLimit} {
		if p := Patience(limit); p <= Inner(limit) || p >= limit {
			t.Errorf("limit %s: inner %s, patience %s", limit, Inner(limit), p)
		}
	}
}

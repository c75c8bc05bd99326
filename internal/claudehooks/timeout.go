package claudehooks

import (
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// LongestTimeout is what a hook without a timeout has on most events.
const LongestTimeout = 600 * time.Second

// DefaultTimeout returns how long Claude Code lets a hook without a timeout run on the event. The short ones are measured
// (e2e/timeout_test.go); that the others end at ten minutes is what the program itself says, seen to hold for the first of
// them.
func DefaultTimeout(e harness.Event) time.Duration {
	switch e {
	case harness.UserPromptSubmit:
		return 30 * time.Second
	case harness.SessionEnd:
		return 1500 * time.Millisecond
	}
	return LongestTimeout
}

package dispatch

import (
	"fmt"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// A host that ends the loop by itself is not asked to go on once more than it does, whatever the manifest's own cap is.
func TestTheHostsOwnEndOfTheLoop(t *testing.T) {
	for _, c := range []struct {
		env  string
		most int // of the manifest
		want int // rounds
		says string
	}{
		{"", 0, 3, "the capped host would end the run at the next time anyway; TEST_STOPS says how often"},
		{"", 8, 3, "anyway"},
		{"", 2, 2, "max_continuations"},
		{"6", 0, 5, "blocked 5 times"},
		{"1", 0, 0, "blocked 0 times"},
		{"many", 0, 3, "anyway"},
		{"-1", 0, 3, "anyway"},
	} {
		t.Run(fmt.Sprintf("%q, %d", c.env, c.most), func(t *testing.T) {
			t.Setenv("TEST_STOPS", c.env)
			clone := newClone(t)
			clone.m.MaxContinuations = c.most
			clone.handler(harness.Stop, never)
			for i := range c.want {
				reply, _ := clone.stop("capped", fmt.Sprintf(`{"session_id":"s","stop_hook_active":%v}`, i > 0))
				clone.blocked(reply, "run the tests")
			}
			reply, _ := clone.stop("capped", fmt.Sprintf(`{"session_id":"s","stop_hook_active":%v}`, c.want > 0))
			clone.allowedLoudly(reply, "Stop passes", c.says)
			reply, _ = clone.stop("capped", `{"session_id":"s","stop_hook_active":false}`)
			if c.want > 0 {
				clone.blocked(reply, "run the tests") // a prompt of the user's was in between
			}
		})
	}
}

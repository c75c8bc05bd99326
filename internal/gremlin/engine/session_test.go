package engine

import (
	"testing"

	"github.com/lorimer-dev/lorimer/internal/gremlin/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// A harness that counts a session from its first beginning tells of a fork what its parent has used, too. A fork that was killed has
// told nothing, and its next turn tells all three.
func TestWhatAJobUsedBeyondItsSession(t *testing.T) {
	reg := &record.Registry{}
	for _, c := range []struct {
		job  record.Job
		told bool
		in   int64
		want int64
	}{
		{record.Job{Session: "base"}, true, 100, 100},
		{record.Job{Session: "fork", ParentSession: "base"}, true, 130, 30},
		{record.Job{Session: "fork", ParentSession: "fork"}, true, 150, 20},
		{record.Job{Session: "killed", ParentSession: "base"}, false, 0, 0},
		{record.Job{Session: "killed", ParentSession: "killed"}, true, 107, 7},
		{record.Job{Session: "killed", ParentSession: "killed"}, false, 0, 0},
		{record.Job{Session: "killed", ParentSession: "killed"}, true, 112, 5},
		{record.Job{ParentSession: "base"}, false, 0, 0}, // before it had a session
		{record.Job{Session: "other"}, true, 9, 9},
	} {
		u := (&run{}).beyond(reg, &c.job, driver.Usage{Input: c.in, Told: c.told})
		if u.Input != c.want || u.Told != c.told {
			t.Errorf("%+v: %+v, want %d", c.job, u, c.want)
		}
	}
	if _, there := reg.Totals[""]; there {
		t.Error("a job without a session has left a sum")
	}
}

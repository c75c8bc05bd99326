package proc

import (
	"context"
	"time"
)

// Killed is the outcome of a [Job.Kill].
type Killed struct {
	Any       bool     // something ran
	Survivors []Record // what runs on in spite of it; empty, not nil, when nothing does
	TreeRC    *int     // exit code of the system's own tree kill; nil where it has none
}

// Kill ends everything of the job: it asks, waits for grace, then ends what is left, and looks again until nothing shows up any
// more or verify has passed: a process may start others while it is looked for. It returns as soon as all have ended. An end of ctx
// cuts the waiting short, not the killing.
func (j *Job) Kill(ctx context.Context, grace, verify time.Duration) Killed {
	alive := j.Alive()
	k := Killed{Any: len(alive) > 0, Survivors: []Record{}}
	end := time.Now().Add(verify)
	for _, r := range alive {
		j.Platform.Ask(r.PID)
	}
	for wait := time.Now().Add(grace); len(alive) > 0 && time.Now().Before(wait) && pause(ctx, 10*time.Millisecond); {
		alive = j.Alive()
	}
	if len(alive) > 0 && alive[0] == j.Root {
		k.TreeRC = j.Platform.TreeKill(j.Root.PID)
	}
	for quiet := 0; ; {
		if alive = j.Alive(); len(alive) == 0 {
			if quiet++; quiet == 2 {
				return k
			}
		} else {
			quiet = 0
		}
		for _, r := range alive {
			j.Platform.Terminate(r.PID)
		}
		if time.Now().After(end) {
			k.Survivors = append(k.Survivors, alive...)
			return k
		}
		pause(ctx, 5*time.Millisecond)
	}
}

// pause says false when ctx has ended.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		time.Sleep(d)
		return false
	case <-time.After(d):
		return true
	}
}

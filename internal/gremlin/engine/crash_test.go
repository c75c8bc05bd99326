//go:build linux

package engine_test

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// A command, or a supervisor, that is killed before any one of its changes leaves a registry that is old or new; the next call
// goes on from there, each job has one line in the ledger, and nothing runs on.
func TestKilledBeforeAnyChange(t *testing.T) {
	if testing.Short() {
		t.Skip("some forty gremlins")
	}
	for _, variable := range []string{"COMMAND_DIES_AT", "SUPERVISOR_DIES_AT"} {
		t.Run(variable, func(t *testing.T) {
			w := trained(t)
			w.AttachLimit = time.Second
			brief := w.brief(script{})
			survived := 0
			for step := 0; survived == 0 || step < 4; step++ {
				cmd := exec.Command(os.Args[0], "_spawn", "--run", w.log, "--brief", brief)
				cmd.Dir, cmd.Env = w.dir, append(w.Env, variable+"="+strconv.Itoa(step))
				err := cmd.Run()
				w.waitAll()
				newest := w.newest()
				if err == nil && newest.Kind == record.Spawn && newest.Status == record.OK {
					survived++
				}
				w.consistent(step)
				if step > 60 {
					t.Fatal("it dies for ever")
				}
			}
			if n := len(w.ledger()); n < 8 {
				t.Errorf("only %d jobs", n)
			}
		})
	}
}

func (w *world) newest() *record.Job {
	jobs := w.registry().JobsInOrder()
	return jobs[len(jobs)-1]
}

func (w *world) consistent(step int) {
	w.t.Helper()
	lines := map[string]int{}
	for _, r := range w.ledger() {
		lines[r.Job]++
	}
	for _, j := range w.registry().JobsInOrder() {
		if j.Status == record.Running || lines[j.Job] != 1 {
			w.t.Errorf("step %d: %s is %s with %d lines in the ledger", step, j.Job, j.Status, lines[j.Job])
		}
	}
}

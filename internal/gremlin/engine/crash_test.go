//go:build linux

package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
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
			t.Parallel()
			w := trained(t)
			w.AttachLimit = time.Second
			brief := w.brief(script{})
			survived := 0
			for step := 0; survived == 0 || step < 4; step++ {
				err := w.do("spawn", brief, variable+"="+strconv.Itoa(step)).Run()
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

// do is a command in a process of its own.
func (w *world) do(command, with string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "_do", command, "--run", w.log, "--with", with)
	cmd.Dir, cmd.Env = w.dir, append(w.Env, env...)
	return cmd
}

// Each of the other commands, too, may be killed before any one of its changes: what it would have done is done by the next one,
// or was done already.
func TestEveryCommandMayBeKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts gremlins")
	}
	for _, c := range []struct {
		command string
		before  func(w *world) (with string)
		after   func(w *world, reg *record.Registry) bool
	}{
		{"init", nil, func(w *world, reg *record.Registry) bool { return reg.Launch.Model == "claude-test-1" }},
		{"init again", inited, func(w *world, reg *record.Registry) bool { return reg.Launch.ParallelCap == 7 }},
		{"list", inited, func(w *world, reg *record.Registry) bool { return !reg.Orchestrator.IsZero() }},
		{"usage", inited, func(w *world, reg *record.Registry) bool { return !reg.Orchestrator.IsZero() }},
		{"tick", withBase, func(w *world, reg *record.Registry) bool { return reg.Bases["B1"].LastState == "warm" }},
		{"wait", unreported, func(w *world, reg *record.Registry) bool { return reg.Jobs["j1"].Reported }},
		{"expire", withBase, func(w *world, reg *record.Registry) bool { return reg.Bases["B1"].Status == record.Retired }},
		{"kill", hanging, func(w *world, reg *record.Registry) bool { return reg.Jobs["j2"].Status == record.Killed }},
	} {
		t.Run(c.command, func(t *testing.T) {
			t.Parallel()
			w, with := newWorld(t), ""
			if c.before != nil {
				with = c.before(w)
			}
			steps := 0
			for ; w.do(c.command, with, "COMMAND_DIES_AT="+strconv.Itoa(steps)).Run() != nil; steps++ {
				if _, err := os.Stat(filepath.Join(engine.StateDir(w.log), "registry.json")); err == nil {
					w.registry() // is whole
				}
				if steps > 60 {
					t.Fatal("it dies for ever")
				}
			}
			if reg := w.registry(); steps < 3 || !c.after(w, reg) {
				t.Errorf("killed %d times; then %+v", steps, reg)
			}
			w.waitAll()
			w.consistent(steps)
		})
	}
}

// A training that was lost leaves no base: its name is free again.
func TestATrainingThatIsKilledLeavesNoBase(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts gremlins")
	}
	w := newWorld(t).init()
	w.AttachLimit = time.Second
	brief := w.brief(script{})
	for step := 0; len(w.registry().Bases) == 0; step++ {
		if err := w.do("train", brief, "COMMAND_DIES_AT="+strconv.Itoa(step)).Run(); err == nil {
			t.Fatal("it was never killed between its first change and its last")
		}
	}
	if r := w.one(); how(r) != "lost/supervisor_dead" || len(w.registry().Bases) != 0 {
		t.Errorf("%s, %+v", how(r), w.registry().Bases)
	}
	w.train("B1", script{})
	if r := w.one(); how(r) != "ok/" {
		t.Errorf("%+v", r)
	}
}

func inited(w *world) string { w.init(); return "" }

func withBase(w *world) string {
	w.init().train("B1", script{})
	w.one()
	return ""
}

func unreported(w *world) string {
	w.init().train("B1", script{})
	w.until("it has ended", func(reg *record.Registry) bool { return reg.Jobs["j1"].Status == record.OK })
	return ""
}

func hanging(w *world) string {
	withBase(w)
	out := w.spawn("B1", "X", script{Hang: true})
	w.until("it works", func(reg *record.Registry) bool { return reg.Jobs[out.Job].Began })
	return out.Job
}

// Twenty commands at once lose nothing, and give each job an id of its own.
func TestTwentyCommandsAtOnce(t *testing.T) {
	t.Parallel()
	w := trained(t)
	if _, err := w.Init(engine.InitFlags{Run: w.log, ParallelCap: ptr(20)}); err != nil {
		t.Fatal(err)
	}
	brief := w.brief(script{})
	var all []*exec.Cmd
	for i := range 20 {
		cmd := w.do([]string{"spawn", "list", "usage", "tick"}[i%4], brief)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v", cmd.Args[2], err)
		}
	}
	for _, r := range w.waitAll() {
		if how(r) != "ok/" {
			t.Errorf("%+v", r)
		}
	}
	if reg := w.registry(); len(reg.Jobs) != 6 || reg.Next != 7 || len(reg.Bases["B1"].Gremlins) != 5 || len(w.ledger()) != 6 {
		t.Errorf("%d jobs, the next is %d, %d gremlins, %d lines", len(reg.Jobs), reg.Next, len(reg.Bases["B1"].Gremlins), len(w.ledger()))
	}
	w.consistent(0)
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

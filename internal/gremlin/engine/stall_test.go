//go:build linux

package engine_test

import (
	"slices"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// quick is a run whose harness counts as stalled after a moment.
func quick(t *testing.T) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds to be silent")
	}
	w := newWorld(t)
	w.Env = append(w.Env, "STALL=400ms")
	w.Engine.Drivers = newEngine(w.Env).Drivers
	t.Setenv("STALL", "400ms") // the supervisors are started in our own environment
	w.init()
	w.train("B1", script{})
	w.one()
	return w
}

func TestSilenceIsFlaggedAndTakenBack(t *testing.T) {
	w := quick(t)
	out := w.spawn("B1", "X", script{WorkMS: 2500})
	w.until("it counts as stalled", func(reg *record.Registry) bool {
		j := reg.Jobs[out.Job]
		return j.Status == record.Running && j.Stalled && slices.Contains(j.Flags, record.Stalled)
	})
	waited, _, err := w.Wait(engine.WaitFlags{Run: w.log, Timeout: 1})
	if err != nil || len(waited.Running) != 1 || !waited.Running[0].Stalled {
		t.Errorf("%+v, %v", waited, err)
	}
	if r := w.one(); how(r) != "ok/" {
		t.Errorf("a stall that ended is still held against it: %+v", r)
	}
}

func TestSilenceWhileAToolRunsIsNone(t *testing.T) {
	w := quick(t)
	out := w.spawn("B1", "X", script{Tool: 2500})
	stalled := false
	w.until("it has ended", func(reg *record.Registry) bool {
		stalled = stalled || reg.Jobs[out.Job].Stalled
		return reg.Jobs[out.Job].Status != record.Running
	})
	if stalled {
		t.Error("a tool that runs was taken for silence")
	}
	w.waitAll()
}

// A stalled gremlin whose time is up keeps the flag.
func TestAStallThatLasts(t *testing.T) {
	w := quick(t)
	if _, err := w.Spawn(engine.SpawnFlags{Run: w.log, Base: "B1", Block: "X", Brief: w.brief(script{Hang: true}), MaxMinutes: 0.04}); err != nil {
		t.Fatal(err)
	}
	if r := w.one(); how(r) != "timeout/ stalled" {
		t.Errorf("%+v", r)
	}
}

//go:build linux

package engine_test

import (
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/usage"
)

// TestTheSmoke is a build of two phases, as it is done on a new platform first; the same is done with a real harness elsewhere.
func TestTheSmoke(t *testing.T) {
	t.Parallel()
	w := trained(t)
	p1 := w.spawn("B1", "P1", script{})
	if r := w.one(); how(r) != "ok/" || *r.Cache != "hit" {
		t.Errorf("P1: %+v", r)
	}
	if _, err := w.Continue(engine.ContinueFlags{Run: w.log, Job: p1.Job, Brief: w.brief(script{})}); err != nil {
		t.Fatal(err)
	}
	w.one()
	k1 := w.spawn("B1", "K1", script{Hang: true})
	w.until("K1 works", func(reg *record.Registry) bool { return reg.Jobs[k1.Job].Began })
	if k, err := w.Kill(w.log, k1.Job); err != nil || !k.OK {
		t.Errorf("%+v, %v", k, err)
	}
	w.one()
	p2, err := w.Spawn(engine.SpawnFlags{Run: w.log, Base: "B1", Block: "P2a", Brief: w.brief(script{}), Phase: 2})
	if err != nil || !p2.RebaseDue || strings.Join(p2.Reasons, " ") != "phase_boundary" {
		t.Errorf("%+v, %v", p2, err)
	}
	w.one()
	ping := w.expires("B1")
	if phase := w.registry().Jobs[ping].Phase; phase != 2 {
		t.Errorf("the ping is for phase %d; the base's newest work is of phase 2", phase)
	}
	if _, err := w.Rebase(engine.RebaseFlags{Run: w.log, Base: "B1", As: "B2", Phase: 2}); err != nil {
		t.Fatal(err)
	}
	w.one()
	w.spawn("B2", "P2b", script{})
	if r := w.one(); how(r) != "ok/" || *r.Cache != "hit" {
		t.Errorf("P2b: %+v", r)
	}
	report, err := w.Usage(w.log, usage.Query{Sums: true})
	if err != nil {
		t.Fatal(err)
	}
	for kind, calls := range map[string]int{record.Train: 1, record.Spawn: 4, record.Continue: 1, record.Rebase: 1, record.Ping: 1} {
		if got := report.Kinds[kind].Calls; got != calls {
			t.Errorf("%d calls of %s in the books, want %d", got, kind, calls)
		}
	}
	list, err := w.List(w.log)
	if err != nil || len(list.Jobs) != 8 {
		t.Errorf("%+v, %v", list, err)
	}
	for _, j := range list.Jobs {
		if j.Status == record.Running {
			t.Errorf("%+v runs at the end", j)
		}
	}
}

// expires lets a base come near its cache's end, and returns the ping that keeps it.
func (w *world) expires(base string) string {
	w.t.Helper()
	if _, err := w.Init(engine.InitFlags{Run: w.log, WarmMarginS: ptr(1800)}); err != nil {
		w.t.Fatal(err)
	}
	w.edit(func(reg *record.Registry) {
		b := reg.Bases[base]
		b.Touch.Boot = "before"
		b.Touch.At = record.At(b.Touch.At.Add(-31 * 60e9))
	})
	out, _, err := w.Wait(engine.WaitFlags{Run: w.log, All: true})
	if err != nil || len(out.Pings) != 1 || out.Pings[0].Job == nil || out.Pings[0].Reason != "expiring" {
		w.t.Fatalf("%+v, %v", out, err)
	}
	id := *out.Pings[0].Job
	w.until("the ping has ended", func(reg *record.Registry) bool { return reg.Jobs[id].Status == record.OK })
	return id
}

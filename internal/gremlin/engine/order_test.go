//go:build linux

package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// The first gremlin of a base comes to its first message before the next one starts; later ones do not wait.
func TestTheFirstSiblingGoesAhead(t *testing.T) {
	w := trained(t)
	first := w.spawn("B1", "X", script{DelayMS: 700, WorkMS: 1500})
	second := w.spawn("B1", "Y", script{})
	w.until("the first has begun", func(reg *record.Registry) bool {
		if reg.Jobs[second.Job].Harness.PID != 0 && !reg.Jobs[first.Job].Began {
			t.Fatal("the second started before the first had its first message")
		}
		return reg.Jobs[first.Job].Began
	})
	w.until("the second starts", func(reg *record.Registry) bool { return reg.Jobs[second.Job].Harness.PID != 0 })
	if reg := w.registry(); reg.Jobs[first.Job].Status != record.Running {
		t.Error("the second waited until the first had ended")
	}
	for _, r := range w.waitAll() {
		if how(r) != "ok/" {
			t.Errorf("%+v", r)
		}
	}
}

// A training that supersedes a base ends before a rebase of that base: the rebase's base is superseded, too.
func TestARebaseOfABaseThatWasSupersededMeanwhile(t *testing.T) {
	w := trained(t)
	n, err := w.Rebase(engine.RebaseFlags{Run: w.log, Base: "B1", As: "B1r", Phase: 1, DeltaNotes: []string{w.brief(script{WorkMS: 2500})}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Train(engine.TrainFlags{Run: w.log, Base: "B3", Brief: w.brief(script{}), Supersedes: "B1"}); err != nil {
		t.Fatal(err)
	}
	w.until("B3 is trained", func(reg *record.Registry) bool { return reg.Bases["B3"].Status == record.Active })
	if reg := w.registry(); reg.Jobs[n.Job].Status != record.Running || reg.Bases["B1"].SupersededBy != "B3" {
		t.Fatalf("%+v", reg.Bases["B1"])
	}
	for _, r := range w.waitAll() {
		if r.Kind == record.Rebase && how(r) != "ok/ parent_inactive" {
			t.Errorf("%+v", r)
		}
	}
	reg := w.registry()
	if b := reg.Bases["B1r"]; b.Status != record.Superseded || b.SupersededBy != "B3" {
		t.Errorf("%+v", b)
	}
	if reg.Bases["B1"].SupersededBy != "B3" || reg.Jobs[n.Job].Inactive != "B1 was superseded when the rebase ended" {
		t.Errorf("%+v", reg.Jobs[n.Job])
	}
	pings, err := w.Tick(w.log)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pings.Pings {
		if p.Base == "B1r" && p.Decision != "status:superseded" {
			t.Errorf("%+v", p)
		}
	}
	if got := refusal(t, errOf(w.Spawn(engine.SpawnFlags{Run: w.log, Base: "B1r", Block: "X", Brief: w.brief(script{})}))); !strings.HasPrefix(got, "base is not active") {
		t.Error(got)
	}
}

func TestWaitReturnsAtTheFirstEndOrAtAll(t *testing.T) {
	w := trained(t)
	w.spawn("B1", "X", script{})
	w.spawn("B1", "Y", script{WorkMS: 1500})
	out, exit, err := w.Wait(engine.WaitFlags{Run: w.log, Timeout: 20 * time.Second})
	if err != nil || exit != engine.ExitAgain || len(out.Done) != 1 || len(out.Running) != 1 || *out.Done[0].Block != "X" || *out.Running[0].Block != "Y" {
		t.Fatalf("%+v, exit %d, %v", out, exit, err)
	}
	w.spawn("B1", "Z", script{NoResult: true})
	out, exit, err = w.Wait(engine.WaitFlags{Run: w.log, All: true, Timeout: 20 * time.Second})
	if err != nil || exit != engine.ExitNotAll || len(out.Done) != 2 || len(out.Running) != 0 {
		t.Errorf("%+v, exit %d, %v", out, exit, err)
	}
	out, exit, err = w.Wait(engine.WaitFlags{Run: w.log, All: true})
	if err != nil || exit != 0 || len(out.Done) != 0 || out.Done == nil || out.Running == nil || out.Pings == nil {
		t.Errorf("%+v, exit %d, %v", out, exit, err)
	}
}

func TestPingsKeepABaseWarm(t *testing.T) {
	w := trained(t)
	late := w.Now
	w.Engine.Now = func() (n clock) { n = late(); n.Wall = n.Wall.Add(40 * time.Minute); n.Boot = "later"; return n }
	w.edit(func(reg *record.Registry) {
		reg.Launch.WarmMarginS = 1800
		reg.Orchestrator = record.At(w.Engine.Now().Wall)
	})
	out, err := w.Tick(w.log)
	if err != nil || len(out.Pings) != 1 || out.Pings[0].Decision != "ping" || out.Pings[0].Reason != "expiring" || out.Pings[0].Job == nil {
		t.Fatalf("%+v, %v", out, err)
	}
	if again, err := w.Tick(w.log); err != nil || again.Pings[0].Decision != "ping_running" && again.Pings[0].Decision != "warm" {
		t.Errorf("%+v, %v", again, err)
	}
	w.until("the ping has ended", func(reg *record.Registry) bool { return reg.Jobs[*out.Pings[0].Job].Status == record.OK })
	if waited, exit, err := w.Wait(engine.WaitFlags{Run: w.log, All: true}); err != nil || exit != 0 || len(waited.Done) != 0 {
		t.Errorf("a ping is in done: %+v, %d, %v", waited, exit, err)
	}
	if l := w.ledger(); len(l) != 2 || l[1].Kind != record.Ping || l[1].Session == nil || *l[1].Cache != "hit" {
		t.Errorf("%+v", l)
	}
}

// The wall clock was set, or the machine slept: how warm the base is, nobody knows, and that is cold.
func TestAClockThatJumped(t *testing.T) {
	if testing.Short() {
		t.Skip("starts gremlins")
	}
	w := newWorld(t)
	t.Setenv("BOOT", fmt.Sprint(time.Now().Add(-time.Hour).UnixMilli())) // the supervisors are started in our own environment
	w.Now = newEngine(os.Environ()).Now
	w.init().train("B1", script{})
	if r := w.one(); len(r.Flags) != 0 {
		t.Errorf("before it jumps: %+v", r)
	}
	w.edit(func(reg *record.Registry) { reg.Bases["B1"].Touch.UpMS -= (2 * time.Minute).Milliseconds() })
	s := w.spawn("B1", "X", script{})
	if s.BaseState != "cold" {
		t.Errorf("%+v", s)
	}
	if r := w.one(); how(r) != "ok/ cold_start,clock_jump" {
		t.Errorf("%s: %+v", how(r), r)
	}
	w.spawn("B1", "Y", script{}) // X has touched it, and is believed
	if r := w.one(); how(r) != "ok/" {
		t.Errorf("%s: %+v", how(r), r)
	}
}

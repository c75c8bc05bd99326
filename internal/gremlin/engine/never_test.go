//go:build linux

package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// A job that never came to run has a result, too, and wait is where it is heard of.
func TestJobsThatNeverRan(t *testing.T) {
	t.Parallel()
	w := trained(t)
	self := w.Self
	w.Self = filepath.Join(w.dir, "none")
	w.spawn("B1", "X", script{})
	if r := w.one(); how(r) != "failed/detach_failed" || r.Tokens != nil {
		t.Errorf("no supervisor: %s %+v", how(r), r)
	}
	w.Self = self

	program := filepath.Join(w.dir, "program")
	os.WriteFile(program, []byte("no program"), 0o644)
	was := w.registry().Bases["B1"].Launch.Binary.Path
	w.edit(func(reg *record.Registry) { reg.Bases["B1"].Launch.Binary.Path = program })
	w.spawn("B1", "X", script{})
	if r := w.one(); how(r) != "failed/launch_error" || r.Tokens != nil {
		t.Errorf("a program that cannot be run: %s %+v", how(r), r)
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	err := errOf(w.Spawn(engine.SpawnFlags{Run: w.log, Base: "B1", Block: "X", Brief: w.brief(script{})}))
	if got := refusal(t, err); !strings.HasPrefix(got, "binary_missing: ") {
		t.Errorf("a program that is gone: %s", got)
	}
	w.edit(func(reg *record.Registry) { reg.Bases["B1"].Launch.Binary.Path = was })
}

// What a supervisor is handed is gone when it comes to it: a fault of ours, and no end of the harness.
func TestASupervisorThatCannotGoOn(t *testing.T) {
	t.Parallel()
	w := trained(t)
	first := w.spawn("B1", "X", script{DelayMS: 1200})
	second := w.spawn("B1", "Y", script{}) // waits for the first one's first message
	w.until("both are watched over", func(reg *record.Registry) bool {
		return reg.Jobs[first.Job].Harness.PID > 0 && reg.Jobs[second.Job].Supervisor.Name == "supervisor"
	})
	if err := os.Remove(filepath.Join(engine.StateDir(w.log), "jobs", second.Job+".json")); err != nil {
		t.Fatal(err)
	}
	for _, r := range w.waitAll() {
		want := "ok/"
		if r.Job == second.Job {
			want = "failed/supervisor_error"
		}
		if how(r) != want {
			t.Errorf("%s: %s, want %s", r.Job, how(r), want)
		}
	}
}

// A crash has left half a line: the next end takes it off, and says so.
func TestATornLedgerIsMended(t *testing.T) {
	t.Parallel()
	w := trained(t)
	ledger := filepath.Join(engine.StateDir(w.log), "ledger.jsonl")
	f, err := os.OpenFile(ledger, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"job":"j9","ki`)
	f.Close()
	out := w.spawn("B1", "X", script{})
	w.one()
	if l := w.ledger(); len(l) != 2 || l[1].Job != out.Job {
		t.Errorf("%+v", l)
	}
	said, _ := os.ReadFile(filepath.Join(engine.StateDir(w.log), "raw", out.Job+".sup.log"))
	if !strings.Contains(string(said), "taken off") {
		t.Errorf("nothing is said of it: %s", said)
	}
}

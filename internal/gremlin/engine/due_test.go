//go:build linux

package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// What is due is told with its reasons, and nothing is refused for it.
func TestWhatIsDue(t *testing.T) {
	t.Parallel()
	w := trained(t)
	if _, err := w.Init(engine.InitFlags{Run: w.log, Effort: ptr("high"), DeltaTokens: ptr[int64](100), Rebases: ptr(2)}); err != nil {
		t.Fatal(err)
	}
	note := filepath.Join(engine.StateDir(w.log), "notes", "old.md")
	os.WriteFile(note, []byte(strings.Repeat("old ", 200)), 0o600)
	os.Chtimes(note, time.Time{}, time.Now().Add(-time.Hour)) // the base knows it
	w.edit(func(reg *record.Registry) { reg.Bases["B1"].Rebases = 3 })
	s := w.spawn("B1", "X", script{})
	if s.RebaseDue || !s.RetrainDue || strings.Join(s.Reasons, " ") != "fingerprint:effort rebases" {
		t.Errorf("%+v", s)
	}
	r := w.one()
	os.WriteFile(filepath.Join(engine.StateDir(w.log), "notes", "new.md"), []byte(strings.Repeat("new ", 200)), 0o600)
	if s = w.spawn("B1", "X", script{}); !s.RebaseDue || strings.Join(s.Reasons, " ") != "delta_size fingerprint:effort rebases" {
		t.Errorf("%+v", s)
	}
	if again := w.one(); again.Fingerprint != r.Fingerprint || how(again) != "ok/" {
		t.Errorf("a gremlin is launched as its base was: %+v", again)
	}
}

// The base was warm at the last look, and went cold without being touched: the job that runs on it will pay, and is told.
func TestAPingThatWasMissed(t *testing.T) {
	t.Parallel()
	w := trained(t)
	out := w.spawn("B1", "X", script{WorkMS: 1500})
	w.until("it is under way", func(reg *record.Registry) bool { return reg.Jobs[out.Job].Began })
	w.edit(func(reg *record.Registry) {
		b := reg.Bases["B1"]
		b.LastState, b.Touch.At, b.Touch.Boot = "warm", record.At(b.Touch.At.Add(-2*time.Hour)), "before"
	})
	pings, err := w.Tick(w.log)
	if err != nil || len(pings.Pings) != 1 || pings.Pings[0].Decision != "cold" || pings.Pings[0].Job != nil {
		t.Errorf("%+v, %v", pings, err)
	}
	if r := w.one(); how(r) != "ok/ ping_missed" {
		t.Errorf("%s %+v", how(r), r)
	}
}

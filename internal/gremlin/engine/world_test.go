//go:build linux

package engine_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// world is a run in a directory of its own, driven by the fake harness.
type world struct {
	*engine.Engine
	t   *testing.T
	dir string
	log string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	e := newEngine([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "WORLD=" + dir})
	e.CWD = dir
	w := &world{Engine: e, t: t, dir: dir, log: filepath.Join(dir, "run.md")}
	t.Cleanup(w.sweep)
	return w
}

// sweep waits for the supervisors, which outlive their last change of the state a little; ends whatever else a test left, and fails
// it for that.
func (w *world) sweep() {
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		left := append(platform.Environ("WORLD="+w.dir), w.supervisors()...)
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			w.t.Errorf("left running: %v", left)
			for _, p := range left {
				w.Platform.Terminate(p.PID)
			}
			return
		}
	}
}

func (w *world) supervisors() (left []platform.Process) {
	if _, err := os.Stat(filepath.Join(engine.StateDir(w.log), "registry.json")); err != nil {
		return nil
	}
	for _, j := range w.registry().Jobs {
		if s := j.Supervisor; s.PID > 0 && w.Platform.Alive(s.PID, s.Ctime) {
			left = append(left, platform.Process{PID: s.PID, Name: "supervisor"})
		}
	}
	return left
}

func ptr[T any](v T) *T { return &v }

func (w *world) init() *world {
	w.t.Helper()
	if _, err := w.Init(engine.InitFlags{Run: w.log, Model: ptr("claude-test-1"), Binary: ptr(os.Args[0])}); err != nil {
		w.t.Fatal(err)
	}
	return w
}

// brief is a file with a brief, and, on a line of its own, what the fake harness is to do.
func (w *world) brief(s script) string {
	w.t.Helper()
	text, err := s.Brief()
	if err != nil {
		w.t.Fatal(err)
	}
	f, err := os.CreateTemp(w.dir, "brief-*.md")
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	f.WriteString(text)
	return f.Name()
}

func (w *world) train(base string, s script) engine.Trained {
	w.t.Helper()
	out, err := w.Train(engine.TrainFlags{Run: w.log, Base: base, Brief: w.brief(s), Phase: 1})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

func (w *world) spawn(base, block string, s script) engine.Spawned {
	w.t.Helper()
	out, err := w.Spawn(engine.SpawnFlags{Run: w.log, Base: base, Block: block, Brief: w.brief(s), Phase: 1})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// waitAll waits for every job, and gives the results that are new.
func (w *world) waitAll() []record.Result {
	w.t.Helper()
	out, exit, err := w.Wait(engine.WaitFlags{Run: w.log, All: true, Timeout: 60 * time.Second})
	if err != nil || exit == engine.ExitAgain {
		w.t.Fatalf("%+v, exit %d, %v", out, exit, err)
	}
	return out.Done
}

// one is waitAll for the only job that ran.
func (w *world) one() record.Result {
	w.t.Helper()
	done := w.waitAll()
	if len(done) != 1 {
		w.t.Fatalf("%d results: %+v", len(done), done)
	}
	return done[0]
}

// trained is a run with a base B1.
func trained(t *testing.T) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("starts gremlins; the story does in short, too")
	}
	w := newWorld(t).init()
	w.train("B1", script{})
	if r := w.one(); r.Status != record.OK {
		t.Fatalf("%+v", r)
	}
	return w
}

func (w *world) registry() *record.Registry {
	w.t.Helper()
	var reg record.Registry
	b, err := os.ReadFile(filepath.Join(engine.StateDir(w.log), "registry.json"))
	if err == nil {
		err = json.Unmarshal(b, &reg)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return &reg
}

type clock = warm.Now

// edit changes the registry behind the engine's back.
func (w *world) edit(f func(*record.Registry)) {
	w.t.Helper()
	reg := w.registry()
	f(reg)
	b, err := json.Marshal(reg)
	if err == nil {
		err = os.WriteFile(filepath.Join(engine.StateDir(w.log), "registry.json"), b, 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) ledger() (lines []record.Result) {
	w.t.Helper()
	b, _ := os.ReadFile(filepath.Join(engine.StateDir(w.log), "ledger.jsonl"))
	for line := range strings.Lines(string(b)) {
		var r record.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			w.t.Fatal(err)
		}
		lines = append(lines, r)
	}
	return lines
}

// refusal is the text of a refusal; anything else fails the test.
func refusal(t *testing.T, err error) string {
	t.Helper()
	var r *engine.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("no refusal: %v", err)
	}
	return r.Text
}

func (w *world) until(what string, holds func(*record.Registry) bool) {
	w.t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(w.registry()); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("not within 20 s: %s", what)
		}
	}
}

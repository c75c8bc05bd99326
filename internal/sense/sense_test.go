package sense

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/ancestry"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/owned"
)

// pony has what no built-in row needs.
var pony = &harness.Runtime{
	ID: "pony", Name: "Pony",
	Markers:   []harness.Marker{{Key: "PONY", NotIn: []string{"0", "no"}}, {Key: "PONY_HOME", Match: "^/"}},
	Processes: []harness.Process{{Exe: "pony"}},
	Files:     []string{".pony"},
	Ranges: []harness.Range{{
		Hooks: "none", Startup: StartupFallback, GUPP: PromptPreamble, Stall: time.Minute, Nudge: time.Second, NudgeSupport: "none",
		Commands: []harness.Command{{Line: "pony feed"}, {Line: "pony go --as {role}"}, {Line: "pony alone", Autonomous: true}},
	}},
}

// world is one with nothing in it but the variables.
func world(t *testing.T, env map[string]string) Options {
	return Options{
		Rows: []*harness.Runtime{pony}, Dir: t.TempDir(),
		Getenv:    func(name string) string { return env[name] },
		Ancestors: func() ([]ancestry.Process, error) { return nil, nil },
	}
}

func TestMarkers(t *testing.T) {
	for _, c := range []struct {
		key, value string
		want       string
	}{
		{"PONY", "1", "pony"}, {"PONY", "", Unknown}, {"PONY", "0", Unknown}, {"PONY", "no", Unknown},
		{"PONY_HOME", "/x", "pony"}, {"PONY_HOME", "x/", Unknown}, {"OTHER", "1", Unknown},
	} {
		if got := New(world(t, map[string]string{c.key: c.value})).Detection().Provider; got != c.want {
			t.Errorf("%s=%q: %s, want %s", c.key, c.value, got, c.want)
		}
	}
}

func TestCommands(t *testing.T) {
	h := New(world(t, map[string]string{"PONY": "1"}))
	for role, want := range map[string]string{
		"crew":             "pony feed|pony go --as crew",
		"boot":             "pony feed|pony go --as boot|pony alone",
		"x; rm -rf ~":      "pony feed",
		"":                 "pony feed",
		"rig/polecats/one": "pony feed",
	} {
		lines, warning := h.Commands(role)
		if got := strings.Join(lines, "|"); got != want {
			t.Errorf("%q: %s, want %s", role, got, want)
		}
		if known := slices.Contains(harness.Roles, role); known != (warning == "") {
			t.Errorf("%q: warning %q", role, warning)
		}
	}
	if a := h.Answers(); a.Nudge || a.Hooks || a.GUPP != PromptPreamble {
		t.Errorf("%+v", a)
	}
}

// Whatever breaks is no answer of its step, and the others are still asked.
func TestWhatBreaksDoesNotAnswer(t *testing.T) {
	broken := world(t, nil)
	broken.Getenv = func(string) string { panic("no environment") }
	if d := safely(t, broken); d.Provider != Unknown {
		t.Errorf("%+v", d)
	}
	broken = world(t, map[string]string{"GT_SESSION_ID": "s"})
	broken.Ancestors = func() ([]ancestry.Process, error) { panic("no table") }
	if d := safely(t, broken); d.Provider != Unknown || !strings.Contains(d.Steps[3].Why, "no table") {
		t.Errorf("%+v", d)
	}
	broken = world(t, nil)
	broken.Ancestors = func() ([]ancestry.Process, error) {
		return []ancestry.Process{{Exe: "/bin/pony"}}, errors.New("closed from there on")
	}
	if d := safely(t, broken); d.Provider != "pony" {
		t.Errorf("what could be read does not count: %+v", d)
	}
	gone := world(t, nil)
	gone.Dir = filepath.Join(gone.Dir, "gone")
	if d := safely(t, gone); d.Provider != Unknown {
		t.Errorf("%+v", d)
	}
}

func safely(t *testing.T, o Options) Detection {
	t.Helper()
	defer func() {
		if fault := recover(); fault != nil {
			t.Fatalf("it panics: %v", fault)
		}
	}()
	h := New(o)
	if a := h.Answers(); a.Stall <= 0 || a.Interval <= 0 {
		t.Errorf("no default: %+v", a)
	}
	return h.Detection()
}

// Without any row everything has a default all the same.
func TestNoRows(t *testing.T) {
	o := world(t, map[string]string{"LORIMER_HARNESS": "pony", "GT_RUNTIME": "pony"})
	o.Rows = nil
	h := New(o)
	a := h.Answers()
	if a.Provider != Unknown || a.Startup != Polling || a.GUPP != Polling || a.Stall != 300*time.Second || a.Interval != 120*time.Second || !a.Nudge {
		t.Errorf("%+v", a)
	}
}

// It looks once, also when many ask at the same time.
func TestItLooksOnce(t *testing.T) {
	var looked atomic.Int32
	o := world(t, nil)
	o.Ancestors = func() ([]ancestry.Process, error) {
		looked.Add(1)
		return []ancestry.Process{{Exe: "/bin/pony"}}, nil
	}
	h := New(o)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if h.Answers().Provider != "pony" || h.Detection().By != ProcessTree {
				t.Error("another answer")
			}
		})
	}
	all.Wait()
	if looked.Load() != 1 {
		t.Errorf("looked %d times", looked.Load())
	}
}

// Arguments hold secrets at times; what is explained holds none of them.
func TestExplanationsShowNoArguments(t *testing.T) {
	o := world(t, map[string]string{"PONY": "sk-secret"})
	o.Ancestors = func() ([]ancestry.Process, error) {
		return []ancestry.Process{{Exe: "/bin/sh", Args: []string{"sh", "-c", "x --key sk-secret"}}}, nil
	}
	for _, s := range New(o).Detection().Steps {
		if text := strings.Join(append(s.Saw, s.Why), " "); strings.Contains(text, "sk-secret") {
			t.Errorf("%s shows %s", s.Name, text)
		}
	}
}

// The record that is read here is the one that materialize writes.
func TestOwnershipRecord(t *testing.T) {
	for about, c := range map[string]struct {
		record owned.Record
		want   string
	}{
		"made":     {owned.Record{State: owned.State{Files: []owned.File{{Path: ".pony/x", How: owned.Whole}}, Dirs: []string{".pony"}}}, Unknown},
		"created":  {owned.Record{State: owned.State{Files: []owned.File{{Path: ".pony", How: owned.Spliced, Created: true}}}}, Unknown},
		"whole":    {owned.Record{State: owned.State{Files: []owned.File{{Path: ".pony", How: owned.Whole}}}}, Unknown},
		"next":     {owned.Record{Next: &owned.State{Dirs: []string{".pony"}}}, Unknown},
		"spliced":  {owned.Record{State: owned.State{Files: []owned.File{{Path: ".pony", How: owned.Spliced}}}}, "pony"},
		"another":  {owned.Record{State: owned.State{Files: []owned.File{{Path: ".ponies", How: owned.Whole}}}}, "pony"},
		"an empty": {owned.Record{}, "pony"},
	} {
		o := world(t, nil)
		file := filepath.Join(o.Dir, filepath.FromSlash(owned.Path))
		for _, dir := range []string{filepath.Dir(file), filepath.Join(o.Dir, ".pony")} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file, c.record.Encode(), 0o644); err != nil {
			t.Fatal(err)
		}
		if d := New(o).Detection(); d.Provider != c.want {
			t.Errorf("%s: %s, want %s: %+v", about, d.Provider, c.want, d.Steps)
		}
	}
}

// Neither step may take what people call noticeable.
func BenchmarkEnvironment(b *testing.B) {
	for b.Loop() {
		New(Options{Rows: []*harness.Runtime{pony}, Getenv: func(name string) string {
			if name == "PONY" {
				return "1"
			}
			return ""
		}}).Answers()
	}
}

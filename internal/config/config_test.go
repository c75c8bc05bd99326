package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// table has an external harness with time limits and a generative one that knows two events.
func table() []*harness.Harness {
	block := []harness.Effect{harness.Block}
	return []*harness.Harness{
		{ID: "pony", Name: "Pony", Kind: harness.Generative, Shim: &harness.Shim{}, Events: []harness.Binding{
			{Event: harness.PreToolUse, Can: block}, {Event: harness.Stop, Can: block, Limit: 30 * time.Second},
		}},
		{ID: "cob", Name: "Cob", Kind: harness.External, Hooks: &harness.Hooks{}, Events: []harness.Binding{
			{Event: harness.SessionStart, Limit: 600 * time.Second},
			{Event: harness.SessionEnd, Limit: 1500 * time.Millisecond},
			{Event: harness.PreToolUse, Can: block, Limit: 600 * time.Second},
			{Event: harness.PostToolUse, Limit: 600 * time.Second, Can: []harness.Effect{harness.RewriteOutput}},
			{Event: harness.Stop, Can: block, Limit: 600 * time.Second},
		}},
		{ID: "ghost", Kind: harness.Bare},
	}
}

var everything = func(*harness.Harness) bool { return true }

// TestGoldens reads testdata/*.txtar: lorimer.yaml, and what is said about it. Without faults that is the warnings and the
// manifest.
func TestGoldens(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	if len(paths) < 5 {
		t.Fatalf("only %d goldens", len(paths))
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := said(ar.Files[0].Data)
			if want := string(ar.Files[1].Data); got != want {
				if *goldentest.Update {
					ar.Files[1].Data = []byte(got)
					if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				t.Error(cmp.Diff(want, got))
			}
		})
	}
}

func said(src []byte) string {
	c, err := Load("lorimer.yaml", src, IDs(Usable(table())))
	if err != nil {
		return err.Error() + "\n"
	}
	picked, err := c.Select(table(), everything)
	if err != nil {
		return err.Error() + "\n"
	}
	warnings, err := c.Fit(picked)
	out := ""
	for _, w := range warnings {
		out += "warning: " + w + "\n"
	}
	if err != nil {
		return out + err.Error() + "\n"
	}
	return out + string(c.Manifest("lorimer.yaml", picked).Encode())
}

// Each fault says where it is, what is wrong, and what to do: by naming what was expected there, or by saying how to mend it.
func TestFaultsSayWhereWhatAndWhatToDo(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	n := 0
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Load("lorimer.yaml", ar.Files[0].Data, IDs(Usable(table())))
		var faults strictyaml.Faults
		errors.As(err, &faults)
		for _, f := range faults {
			n++
			empty := len(ar.Files[0].Data) == 0
			if f.File != "lorimer.yaml" || (f.Line < 1 || f.Col < 1) && !empty || f.What == "" || f.Expected == "" && f.Hint == "" {
				t.Errorf("%s: a part is missing: %s", filepath.Base(path), f)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d faults", n)
	}
}

func load(t *testing.T, src string) *Config {
	t.Helper()
	c, err := Load("lorimer.yaml", []byte(src), IDs(Usable(table())))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSelect(t *testing.T) {
	none := func(*harness.Harness) bool { return false }
	onlyPony := func(h *harness.Harness) bool { return h.ID == "pony" }
	cases := []struct {
		name, src string
		found     func(*harness.Harness) bool
		want      string
	}{
		{"listed, in the order of ids", "version: 1\nharnesses: [pony, cob]", none, "cob pony"},
		{"listed wins over found", "version: 1\nharnesses: [cob]", onlyPony, "cob"},
		{"found", "version: 1", onlyPony, "pony"},
	}
	for _, c := range cases {
		picked, err := load(t, c.src).Select(table(), c.found)
		if got := strings.Join(IDs(picked), " "); err != nil || got != c.want {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
	}
	_, err := load(t, "version: 1").Select(table(), none)
	want := "lorimer.yaml: no coding agent is found, neither on PATH nor by its files in the clone; say which ones to serve, " +
		"for example `harnesses: [cob]`; known are cob, pony"
	if err == nil || err.Error() != want {
		t.Errorf("none found: got  %v\nwant %s", err, want)
	}
	if _, err := load(t, "version: 1").Select(nil, none); err == nil {
		t.Error("an empty table was taken")
	}
}

func TestSubscriptions(t *testing.T) {
	c := load(t, `
version: 1
handlers:
  - { name: a, event: Stop, run: x }
  - { name: b, event: PreToolUse, run: x, on_error: block, not: [pony] }
  - { name: c, event: PreToolUse, run: x }
  - { name: d, event: SessionEnd, run: x, enabled: false }
  - { name: e, event: PostToolUse, run: x, harnesses: [pony] }
`)
	for _, want := range []struct{ id, events string }{
		{"cob", "PreToolUse! Stop"}, // in the order of the table
		{"pony", "PreToolUse Stop"}, // pony has no PostToolUse
	} {
		var got []string
		for _, h := range table() {
			if h.ID != want.id {
				continue
			}
			for _, s := range c.Subscriptions(h) {
				name := string(s.Event)
				if s.FailClosed {
					name += "!"
				}
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want.events {
			t.Errorf("%s: got %v, want %s", want.id, got, want.events)
		}
	}
}

// What a wanted event brings is hooked with it, at its place, and does not fail closed for it.
func TestBroughtSubscriptions(t *testing.T) {
	h := &harness.Harness{ID: "cob", Events: []harness.Binding{
		{Event: harness.UserPromptSubmit}, {Event: harness.PreToolUse},
		{Event: harness.Stop, Brings: []harness.Event{harness.UserPromptSubmit, harness.PreToolUse}}, {Event: harness.SessionEnd},
	}}
	for handlers, want := range map[string]string{
		"[{ name: a, event: Stop, run: x, on_error: block }]":                                         "UserPromptSubmit~ PreToolUse~ Stop!",
		"[{ name: a, event: Stop, run: x }, { name: b, event: PreToolUse, run: x, on_error: block }]": "UserPromptSubmit~ PreToolUse! Stop",
		"[{ name: a, event: SessionEnd, run: x }]":                                                    "SessionEnd",
	} {
		got := ""
		for _, s := range load(t, "version: 1\nself_protect: false\nhandlers: "+handlers).Subscriptions(h) {
			got += " " + string(s.Event)
			if s.Brought {
				got += "~"
			}
			if s.FailClosed {
				got += "!"
			}
		}
		if got != " "+want {
			t.Errorf("%s: %s, want %s", handlers, got, want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte("version: 1\nhandlers:\n  - {name: a, event: Stop, argv: [x], matcher: \"(\", timeout: 5m}\n"))
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		if ar, err := txtar.ParseFile(path); err == nil {
			f.Add(ar.Files[0].Data)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		said(src)
		_, err := Load("lorimer.yaml", src, nil)
		var faults strictyaml.Faults
		if err != nil && !errors.As(err, &faults) {
			t.Fatalf("%T", err)
		}
		for _, fault := range faults {
			if fault.What == "" || fault.Line > strings.Count(string(src), "\n")+2 {
				t.Fatalf("%+v", fault)
			}
		}
	})
}

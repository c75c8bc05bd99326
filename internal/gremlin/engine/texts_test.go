//go:build linux

package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/usage"
)

func read(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A run log that is not there yet is begun: with the line by which a successor finds the state, and the table that usage fills.
func TestInitBeginsTheRunLog(t *testing.T) {
	w := newWorld(t).init()
	log := read(t, w.log)
	row, _, _ := strings.Cut(usage.Report{}.BlockTable(nil), "\n")
	for _, line := range []string{"\n- Gremlins: run-gremlins\n", "\n" + row + "\n", "\n- Model: claude-test-1\n"} {
		if !strings.Contains(log, line) {
			t.Errorf("it lacks %q:\n%s", line, log)
		}
	}
	own := filepath.Join(w.dir, "own.md")
	os.WriteFile(own, []byte("# Mine\n"), 0o600)
	if _, err := w.Init(engine.InitFlags{Run: own, Model: ptr("claude-test-1"), Binary: ptr(os.Args[0])}); err != nil || read(t, own) != "# Mine\n" {
		t.Errorf("one that is there is left alone: %v\n%s", err, read(t, own))
	}
}

// What a gremlin is told: in whose name, what has changed, by which rules, where and how to leave its note, and the brief.
func TestThePromptOfASpawn(t *testing.T) {
	t.Parallel()
	w := trained(t)
	note := filepath.Join(w.dir, "before.md")
	os.WriteFile(note, []byte("# lexer\n\n- Built: ${tokens}\n"), 0o600)
	out, err := w.Spawn(engine.SpawnFlags{
		Run: w.log, Base: "B1", Block: "a/b", Brief: w.brief(script{}), Phase: 4, Mode: "parallel", Paths: []string{"a.go"}, DeltaNotes: []string{note},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := w.one(); strings.Join(r.Paths, " ") != "a.go" {
		t.Errorf("%+v", r)
	}
	state := engine.StateDir(w.log)
	text := read(t, state, "briefs", out.Job+".md")
	at := 0
	for _, part := range []string{
		"# Headless implementer", "# Block a/b ", "You are a gremlin spawned from base B1 (a fork of its session; run log " + w.log + "). Phase 4.",
		"## Changes since base", "From " + note + ":\n\n> # lexer\n>\n> - Built: ${tokens}\n", "## Rules for this gremlin",
		"- This gremlin runs in parallel with other gremlins: do NOT commit",
		"- Write your handoff note to " + filepath.Join(state, "notes", "a-b.md") + ", in this form:\n\n> # a/b\n>\n> - Phase 4, from base B1", "## Brief\n\nDo it.",
	} {
		n := strings.Index(text[at:], part)
		if n < 0 {
			t.Fatalf("it lacks %q behind %q:\n%s", part, text[:at], text)
		}
		at += n
	}
	if strings.Contains(text, "${note") || strings.Contains(text, "${b") {
		t.Errorf("something was not filled in:\n%s", text)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/golden/go/driver"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

func testEngine(t *testing.T, env ...string) (*engine.Engine, string) {
	t.Helper()
	dir := t.TempDir()
	return &engine.Engine{
		Drivers: driver.All, Platform: platform.NewPosix(), Env: env, Self: "/opt/lorimer-gremlins", Version: "1.2.3", CWD: dir,
		Now: func() warm.Now { return warm.Now{Wall: time.Unix(1_796_000_000, 0)} },
	}, dir
}

// said runs a command line and returns its exit status and what it printed.
func said(t *testing.T, e *engine.Engine, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	exit := run(e, args, &out)
	return exit, out.String()
}

// --help of the program and of each command is one JSON object; together they are the closed list of commands and flags.
func TestHelp(t *testing.T) {
	e, _ := testEngine(t)
	var all strings.Builder
	_, top := said(t, e, "--help")
	all.WriteString(top)
	var h Help
	if err := json.Unmarshal([]byte(top), &h); err != nil {
		t.Fatal(err)
	}
	want := []string{"where", "init", "train", "spawn", "continue", "rebase", "wait", "list", "usage", "expire", "kill", "tick"}
	slices.Sort(want)
	if !slices.Equal(h.Commands, want) {
		t.Errorf("commands: %v", h.Commands)
	}
	for _, c := range h.Commands {
		exit, text := said(t, e, c, "--help")
		if exit != 0 || !json.Valid([]byte(text)) {
			t.Errorf("%s: exit %d, %s", c, exit, text)
		}
		all.WriteString(text)
	}
	goldentest.Compare(t, "testdata/help.json.golden", all.String())
}

func TestRefusalsOfTheCommandLine(t *testing.T) {
	e, dir := testEngine(t)
	for name, args := range map[string][]string{
		"no such command": {"fork"}, "no such flag": {"list", "--nope"}, "no run": {"list"}, "an argument too many": {"list", "--run", "x.md", "y"},
		"pings": {"init", "--run", "x.md", "--pings", "maybe"}, "no number": {"spawn", "--phase", "one"}, "timeout": {"wait", "--run", "x.md", "--timeout-s", "600"},
		"no state": {"usage", "--run", filepath.Join(dir, "x.md")}, "no such harness": {"where", "--harness", "nope"},
	} {
		exit, text := said(t, e, args...)
		var answer map[string]any
		if err := json.Unmarshal([]byte(text), &answer); err != nil || exit != exitRefused || answer["error"] == "" {
			t.Errorf("%s: exit %d, %s", name, exit, text)
		}
	}
}

// What a refusal says is said as by the other commands of lorimer: with what was expected.
func TestRefusalsSayWhatWasExpected(t *testing.T) {
	e, _ := testEngine(t)
	for want, args := range map[string][]string{
		`unknown command \"lst\" for \"lorimer gremlins\"; expected one of continue, `: {"lst"},
		`did you mean \"list\"?`:                                              {"lst"},
		"unknown flag: --rn; did you mean \"--run\"?":                         {"list", "--rn", "x"},
		`--phase \"one\": expected a whole number; `:                          {"spawn", "--phase", "one"},
		"lorimer gremlins list got \\\"y\\\"; expected lorimer gremlins list": {"list", "--run", "x.md", "y"},
	} {
		exit, text := said(t, e, args...)
		if !strings.Contains(text, strings.ReplaceAll(want, "did you mean \"--run\"", `did you mean \"--run\"`)) || exit != exitRefused {
			t.Errorf("%v: exit %d, %s; expected %s", args, exit, text, want)
		}
	}
}

// A refusal of a path names its form, and the path as it was given.
func TestAPathOfAnotherSystem(t *testing.T) {
	e, _ := testEngine(t)
	exit, text := said(t, e, "list", "--run", `C:\runs\run.md`)
	var answer map[string]string
	if err := json.Unmarshal([]byte(text), &answer); err != nil || exit != exitRefused || answer["path"] != `C:\runs\run.md` || answer["error"] == "" || len(answer) != 2 {
		t.Errorf("exit %d, %s", exit, text)
	}
}

// --paths takes one after another, also without being said again.
func TestThePathsOfASpawn(t *testing.T) {
	e, dir := testEngine(t, "PATH=/nowhere")
	log, program, brief := filepath.Join(dir, "run.md"), filepath.Join(dir, "claude"), filepath.Join(dir, "brief.md")
	for _, f := range []string{program, brief} {
		if err := os.WriteFile(f, []byte("x"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if exit, text := said(t, e, "init", "--run", log, "--model", "claude-test-1", "--binary", program); exit != 0 {
		t.Fatal(text)
	}
	for want, args := range map[string][]string{
		`no base \"B1\"; train one first`:       {"--mode", "parallel", "--paths", "a.go", "b.go", "--phase", "1"},
		"spawn takes flags alone, and not y.md": {"y.md"},
		"--mode parallel needs --paths":         {"--mode", "parallel"},
	} {
		exit, text := said(t, e, append([]string{"spawn", "--run", log, "--base", "B1", "--block", "X", "--brief", brief}, args...)...)
		if exit != exitRefused || !strings.Contains(text, want) {
			t.Errorf("%v: exit %d, %s", args, exit, text)
		}
	}
}

func TestWhereIsNotOK(t *testing.T) {
	e, _ := testEngine(t, "PATH=/nowhere", "CLAUDECODE=1", "GT_RUNTIME=x", "HOME=/h")
	exit, text := said(t, e, "where")
	var w map[string]any
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	if exit != exitRefused || w["ok"] != false || w["error"] == "" || w["reason"] != w["error"] || w["script"] != "/opt/lorimer-gremlins" {
		t.Errorf("exit %d, %s", exit, text)
	}
	if got := w["scrub"].([]any); len(got) != 2 || got[0] != "CLAUDECODE" || got[1] != "GT_RUNTIME" {
		t.Errorf("scrub: %v", got)
	}
}

func TestFormats(t *testing.T) {
	e, dir := testEngine(t, "PATH=/nowhere")
	log, program := filepath.Join(dir, "run.md"), filepath.Join(dir, "claude")
	if err := os.WriteFile(program, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if exit, text := said(t, e, "init", "--run", log, "--model", "claude-test-1", "--binary", program); exit != 0 {
		t.Fatal(text)
	}
	for want, args := range map[string][]string{
		"| Kind | Calls | in |":    {"usage", "--run", log, "--format", "md"},
		"| Block | Owner | Sess":   {"usage", "--run", log, "--format", "md", "--block", "X"},
		"<!doctype html>":          {"usage", "--run", log, "--format", "html"},
		"{\n  \"block\": null":     {"usage", "--run", log},
		"BASE  STATUS":             {"list", "--run", log, "--format", "table"},
		"{\n  \"bases\": []":       {"list", "--run", log},
		"lorimer gremlins COMMAND": {"help"},
	} {
		if exit, text := said(t, e, args...); exit != 0 || !strings.HasPrefix(text, want) {
			t.Errorf("%v: exit %d, %s", args, exit, text)
		}
	}
}

//go:build linux

package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/usage"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

func TestRefusals(t *testing.T) {
	w := trained(t)
	brief := w.brief(script{})
	empty := filepath.Join(w.dir, "empty.md")
	os.WriteFile(empty, []byte(" \n"), 0o600)
	spawn := func(change func(*engine.SpawnFlags)) error {
		f := engine.SpawnFlags{Run: w.log, Base: "B1", Block: "X", Brief: brief}
		change(&f)
		return errOf(w.Spawn(f))
	}
	for want, err := range map[string]error{
		"--mode parallel needs --paths (the files this gremlin may touch)": spawn(func(f *engine.SpawnFlags) { f.Mode = "parallel" }),
		"--mode is sequential or parallel, not both":                       spawn(func(f *engine.SpawnFlags) { f.Mode = "both" }),
		"--method clone is not known; the only one is fork":                spawn(func(f *engine.SpawnFlags) { f.Method = "clone" }),
		`no base "B9"; train one first`:                                    spawn(func(f *engine.SpawnFlags) { f.Base = "B9" }),
		"spawn needs --block":                                              spawn(func(f *engine.SpawnFlags) { f.Block = "" }),
		"the brief is missing or empty":                                    spawn(func(f *engine.SpawnFlags) { f.Brief = empty }),
		"a delta note cannot be read":                                      spawn(func(f *engine.SpawnFlags) { f.DeltaNotes = []string{"none.md"} }),
		"The path is empty; pass a file or folder.":                        spawn(func(f *engine.SpawnFlags) { f.Brief = "" }),
		"no gremlins state for this run; run init first":                   errOf(w.List(filepath.Join(w.dir, "other.md"))),
		"--run must name the run log, a .md file":                          errOf(w.List(w.dir)),
		`base "B1" exists already (active); choose another name`:           errOf(w.Train(engine.TrainFlags{Run: w.log, Base: "B1", Brief: brief})),
		`--supersedes: no base "B7"`:                                       errOf(w.Train(engine.TrainFlags{Run: w.log, Base: "B8", Brief: brief, Supersedes: "B7"})),
		"continue takes a spawn job":                                       errOf(w.Continue(engine.ContinueFlags{Run: w.log, Job: "j1", Brief: brief})),
		`no job "j99"`:                                                     errOf(w.Continue(engine.ContinueFlags{Run: w.log, Job: "j99", Brief: brief})),
		"--permission-mode never is none of Claude Code's: default, acceptEdits, auto, bypassPermissions, dontAsk, manual, plan": errOf(w.Init(engine.InitFlags{Run: w.log, PermissionMode: ptr("never")})),
		"--model opus is no full model id of Claude Code; aliases mean another model with each release":                          errOf(w.Init(engine.InitFlags{Run: w.log, Model: ptr("opus")})),
		"this run drives claude; the harness of a run does not change":                                                           errOf(w.Init(engine.InitFlags{Run: w.log, Harness: ptr("pi")})),
		"--parallel-cap must be at least 1": errOf(w.Init(engine.InitFlags{Run: w.log, ParallelCap: ptr(0)})),
	} {
		if got := refusal(t, err); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	if reg := w.registry(); len(reg.Jobs) != 1 || len(reg.Bases) != 1 {
		t.Errorf("a refusal left something behind: %d jobs, %d bases", len(reg.Jobs), len(reg.Bases))
	}
}

// What a harness cannot be told is no wish that is passed over.
func TestWhatAHarnessCannotBeTold(t *testing.T) {
	w := newWorld(t)
	init := func(change func(*engine.InitFlags)) string {
		f := engine.InitFlags{Run: w.log, Harness: ptr("pi"), Model: ptr("fake/fake-1"), Binary: ptr(os.Args[0])}
		change(&f)
		return refusal(t, errOf(w.Init(f)))
	}
	for want, got := range map[string]string{
		"pi cannot be told --effort in a headless run":        init(func(f *engine.InitFlags) { f.Effort = ptr("low") }),
		"pi cannot be told --agent in a headless run":         init(func(f *engine.InitFlags) { f.Agent = ptr("a") }),
		"pi cannot be told --tools in a headless run":         init(func(f *engine.InitFlags) { f.Tools = ptr("bash") }),
		"pi cannot be told --allowed-tools in a headless run": init(func(f *engine.InitFlags) { f.AllowedTools = ptr("bash") }),
	} {
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	w = trained(t)
	w.edit(func(reg *record.Registry) { reg.Launch.Harness = "pi" })
	_, err := w.Spawn(engine.SpawnFlags{Run: w.log, Base: "B1", Block: "X", Brief: w.brief(script{}), MaxBudgetUSD: 1})
	if got := refusal(t, err); got != "pi cannot be told --max-budget-usd: it would spend what it likes" {
		t.Error(got)
	}
}

func TestWhatAGremlinMayNotDo(t *testing.T) {
	w := trained(t)
	w.Env = append(w.Env, engine.ChildMarker+"=1")
	for command, err := range map[string]error{
		"init":     errOf(w.Init(engine.InitFlags{Run: w.log})),
		"train":    errOf(w.Train(engine.TrainFlags{Run: w.log})),
		"spawn":    errOf(w.Spawn(engine.SpawnFlags{Run: w.log})),
		"continue": errOf(w.Continue(engine.ContinueFlags{Run: w.log})),
		"rebase":   errOf(w.Rebase(engine.RebaseFlags{Run: w.log})),
		"kill":     errOf(w.Kill(w.log, "j1")),
		"expire":   errOf(w.Expire(w.log, "")),
		"tick":     errOf(w.Tick(w.log)),
	} {
		if got := refusal(t, err); got != command+" is refused inside a gremlin (SPIRE_GREMLIN_CHILD is set); a gremlin may only run where, list, usage and wait" {
			t.Error(got)
		}
	}
	before := w.registry().Orchestrator
	if _, err := w.List(w.log); err != nil {
		t.Error(err)
	}
	if _, _, err := w.Wait(engine.WaitFlags{Run: w.log}); err != nil {
		t.Error(err)
	}
	if _, err := w.Usage(w.log, usage.Query{}); err != nil {
		t.Error(err)
	}
	if where, err := w.Where("claude", os.Args[0]); err != nil || !where.OK {
		t.Errorf("%+v, %v", where, err)
	}
	if w.registry().Orchestrator != before {
		t.Error("a gremlin's call counted as its orchestrator's")
	}
}

func TestTheCap(t *testing.T) {
	w := trained(t)
	if _, err := w.Init(engine.InitFlags{Run: w.log, ParallelCap: ptr(1)}); err != nil {
		t.Fatal(err)
	}
	out := w.spawn("B1", "X", script{Hang: true})
	if got := refusal(t, errOf(w.Spawn(engine.SpawnFlags{Run: w.log, Base: "B1", Block: "Y", Brief: w.brief(script{})}))); got != "1 gremlins run already (parallel_cap 1); wait for one to end" {
		t.Error(got)
	}
	if got := refusal(t, errOf(w.Continue(engine.ContinueFlags{Run: w.log, Job: out.Job, Brief: w.brief(script{})}))); got != "the gremlin is still running" {
		t.Error(got)
	}
	if _, err := w.Kill(w.log, out.Job); err != nil {
		t.Error(err)
	}
}

func TestTheClosedGateWritesNothing(t *testing.T) {
	w := newWorld(t)
	w.Platform = &platform.Posix{Host: "darwin", Getenv: func(string) string { return "" }, OSRelease: func() string { return "" }}
	_, err := w.Init(engine.InitFlags{Run: w.log, Model: ptr("claude-test-1"), Binary: ptr(os.Args[0])})
	r, ok := err.(*engine.Refusal)
	if !ok || r.Text != "platform not supported" || len(r.More) != 2 || !strings.Contains(r.More["reason"].(string), "this is darwin") {
		t.Fatalf("%+v", err)
	}
	if _, err := os.Stat(engine.StateDir(w.log)); err == nil {
		t.Error("it wrote")
	}
	where, err := w.Where("claude", os.Args[0])
	if err != nil || where.OK || where.Binary.Version != "9.9.9" || where.Platform.Supported || where.Platform.Override {
		t.Errorf("%+v, %v", where, err)
	}
	w.Env = append(w.Env, platform.Override+"=1")
	if where, _ := w.Where("claude", os.Args[0]); !where.OK || !where.Platform.Override || len(where.Warnings) != 1 {
		t.Errorf("%+v", where)
	}
	if out, err := w.Init(engine.InitFlags{Run: w.log, Model: ptr("claude-test-1"), Binary: ptr(os.Args[0])}); err != nil || len(out.Warnings) != 1 {
		t.Errorf("%+v, %v", out, err)
	}
}

// A second init looks for the program again, unless it was pinned.
func TestInitAgain(t *testing.T) {
	w := newWorld(t)
	a, b := filepath.Join(w.dir, "a"), filepath.Join(w.dir, "b")
	for _, p := range []string{a, b} {
		if err := os.WriteFile(p, []byte("#!/bin/sh\necho '1.0.0 (Claude Code)'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := w.Env
	w.Env = append(env, "CLAUDE_CODE_EXECPATH="+a)
	first, err := w.Init(engine.InitFlags{Run: w.log, Model: ptr("claude-test-1")})
	if err != nil || !first.Created || first.Launch.Binary != (record.Binary{Path: a, ResolvedBy: "$CLAUDE_CODE_EXECPATH", Version: "1.0.0"}) || first.Warnings == nil {
		t.Fatalf("%+v, %v", first, err)
	}
	w.Env = append(env, "CLAUDE_CODE_EXECPATH="+b)
	again, err := w.Init(engine.InitFlags{Run: w.log, Pings: ptr(false)})
	if err != nil || again.Created || again.Launch.Binary.Path != b || len(again.Warnings) != 1 || strings.Join(again.Changed, " ") != "launch.binary.path launch.pings" {
		t.Errorf("%+v, %v", again, err)
	}
	w.Env = env[:1:1]
	w.Env[0] = "PATH=" + w.dir + "/none"
	kept, err := w.Init(engine.InitFlags{Run: w.log})
	if err != nil || kept.Launch.Binary.Path != b || len(kept.Warnings) != 1 || !strings.HasPrefix(kept.Warnings[0], "could not re-resolve the binary; kept ") {
		t.Errorf("%+v, %v", kept, err)
	}
	pinned, err := w.Init(engine.InitFlags{Run: w.log, Binary: &a})
	if err != nil || pinned.Launch.Binary.ResolvedBy != "--binary" {
		t.Errorf("%+v, %v", pinned, err)
	}
	w.Env = append(env, "CLAUDE_CODE_EXECPATH="+b)
	if again, err = w.Init(engine.InitFlags{Run: w.log}); err != nil || again.Launch.Binary.Path != a || len(again.Warnings) != 0 || len(again.Changed) != 0 {
		t.Errorf("%+v, %v", again, err)
	}
}

//go:build linux

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// drive is a run of `lorimer gremlins` that drives any host, against a model with a prompt cache.
func drive(t *testing.T, h *rig.Host, init ...string) *gremlins {
	t.Helper()
	need(t)
	t.Parallel()
	g := &gremlins{Rig: world(t, h, orders(h), ""), t: t, cache: &fakemodel.Cache{}}
	g.Model.UseCache(g.cache)
	g.within(6 * time.Minute)
	program := h.Program(install)
	if program == "" {
		program = filepath.Join(g.Dir, h.ID)
		script := "#!/bin/sh\nexec '" + strings.Join(h.Argv(install), "' '") + "' \"$@\"\n"
		must(t, os.WriteFile(program, []byte(script), 0o755))
	}
	g.ok(nil, "init", append([]string{"--harness", h.ID, "--binary", program}, init...)...)
	return g
}

// orders answers by what the prompt asks for; a tool's result is answered by the end.
func orders(h *rig.Host) fakemodel.Script {
	key := h.ShellKey
	if key == "" {
		key = "command"
	}
	use := func(line string) fakemodel.Step {
		return fakemodel.Use(h.Shell, map[string]any{key: line, "description": "look"})
	}
	return func(r fakemodel.Request) fakemodel.Step {
		switch text := newest(r); {
		case strings.Contains(text, "DO:overloaded"):
			return fakemodel.Fail(529, "Overloaded")
		case strings.Contains(text, "DO:empty"):
			return fakemodel.Say("")
		case strings.Contains(text, "DO:hang"):
			return use("setsid sleep 300 & echo $! > $E2E/grandchild; sleep 300")
		case strings.Contains(text, "DO:tool"):
			return use("echo trained")
		}
		return fakemodel.Say("Done.")
	}
}

// base trains B1 in two requests, with a tool call between them.
func (g *gremlins) base() (session string) {
	g.t.Helper()
	var l launched
	g.ok(&l, "train", "--base", "B1", "--brief", g.brief("Read everything. DO:tool"), "--phase", "1")
	r := g.wait()[l.Job]
	if how(r) != "ok/" || r.Session == nil || l.SessionID != "" && l.SessionID != *r.Session {
		g.t.Fatalf("train: %+v", r)
	}
	if n := len(g.Model.Requests()); n != 2 || len(g.cache.Billed()) != n {
		g.t.Errorf("a training with one tool call took %d requests, %d were billed: what else was asked is in no ledger", n, len(g.cache.Billed()))
	}
	return *r.Session
}

// cut spawns a gremlin from B1 and kills it in the middle of a tool, with what the tool has started in a session of its own.
// It returns what that was billed, too.
func (g *gremlins) cut(base string) (job string, r record.Result, bill fakemodel.Bill) {
	g.t.Helper()
	var l launched
	g.ok(&l, "spawn", "--base", "B1", "--block", "K", "--brief", g.brief("DO:hang"), "--phase", "1")
	child := g.grandchild()
	requests, billed := g.Model.Requests(), g.cache.Billed()
	if text := requests[len(requests)-1].Text(); !strings.Contains(text, "Read everything.") || !strings.Contains(text, "DO:hang") {
		g.t.Errorf("the fork does not know what the base was told:\n%s", text)
	}
	var k struct {
		OK, Killed bool
		Survivors  []record.Process
	}
	g.ok(&k, "kill", "--job", l.Job)
	if child.lives() || !k.OK || !k.Killed || len(k.Survivors) > 0 {
		g.t.Errorf("%+v; the grandchild %d lives: %v", k, child, child.lives())
	}
	r = g.wait()[l.Job]
	if how(r) != "killed/kill" || r.Session == nil || *r.Session == base || *r.ParentSession != base {
		g.t.Fatalf("%+v", r)
	}
	return l.Job, r, billed[len(billed)-1]
}

// again gives a gremlin one more turn, in its own session.
func (g *gremlins) again(job, session string) {
	g.t.Helper()
	var l launched
	g.ok(&l, "continue", "--job", job, "--brief", g.brief("- once more"))
	if r := g.wait()[l.Job]; how(r) != "ok/" || *r.Session != session {
		g.t.Errorf("continue: %+v", r)
	}
	requests := g.Model.Requests()
	if text := requests[len(requests)-1].Text(); !strings.Contains(text, "Read everything.") || !strings.Contains(text, "DO:hang") || !strings.Contains(text, "- once more") {
		g.t.Errorf("the gremlin does not know what it was told:\n%s", text)
	}
}

// Codex counts what a session has used from its first beginning, that of what it was forked from; a turn that was killed it forgets.
func TestGremlinsOnTheRealCodex(t *testing.T) {
	g := drive(t, rig.Codex, "--model", "gpt-5.5", "--effort", "low", "--permission-mode", "danger-full-access")
	base := g.base()
	if r := g.Model.Requests()[0]; r.Model != "gpt-5.5" || !bytes.Contains(r.Body, []byte(`"effort":"low"`)) {
		t.Errorf("the model and how hard it is to think: %s, %.200s", r.Model, r.Body)
	}
	job, r, lost := g.cut(base)
	g.again(job, *r.Session)
	var built, rebased launched
	g.ok(&built, "spawn", "--base", "B1", "--block", "P1", "--brief", g.brief("Build. DO:tool"), "--phase", "1")
	r = g.wait()[built.Job]
	if how(r) != "ok/" || *r.Session == base || *r.ParentSession != base || *r.Turns != 1 || r.Cache == nil {
		t.Errorf("spawn: %+v", r)
	}
	g.ok(&rebased, "rebase", "--base", "B1", "--as", "B2", "--phase", "2")
	if r := g.wait()[rebased.Job]; how(r) != "ok/" || *r.Session == base {
		t.Errorf("rebase: %+v", r)
	}
	g.checkBill(lost)
	for do, want := range map[string]string{"overloaded": "failed/overloaded", "empty": "ok/ needs_attention"} {
		var l launched
		g.ok(&l, "spawn", "--base", "B2", "--block", do, "--brief", g.brief("DO:"+do), "--phase", "2")
		if got := how(g.wait()[l.Job]); got != want {
			t.Errorf("%s: %s, want %s", do, got, want)
		}
	}
}

// oh-my-pi tells each message as it comes, those of a killed run too.
func TestGremlinsOnTheRealOmp(t *testing.T) {
	g := drive(t, rig.Omp, "--model", "fake/fake-1", "--tools", "bash,read")
	base := g.base()
	if got := g.Model.Requests()[0].Tools; !slices.Contains(got, "bash") || slices.Contains(got, "write") {
		t.Errorf("--tools bash,read gives it %v", got)
	}
	job, r, _ := g.cut(base)
	g.again(job, *r.Session)
	g.checkBill()
}

// Qwen Code counts as Codex does, and is two processes.
func TestGremlinsOnTheRealQwen(t *testing.T) {
	g := drive(t, rig.Qwen, "--model", "fake-1", "--permission-mode", "yolo")
	job, r, _ := g.cut(g.base())
	g.again(job, *r.Session)
	g.checkBill()
}

// opencode tells what a step has used when its tools have ended: of a killed one nobody hears it.
func TestGremlinsOnTheRealOpencode(t *testing.T) {
	g := drive(t, rig.Opencode, "--model", "fake/fake-1")
	job, r, lost := g.cut(g.base())
	g.again(job, *r.Session)
	g.checkBill(lost)
}

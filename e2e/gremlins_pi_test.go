//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// pi takes the prompt as an argument, chooses the ids of forks itself, and is run by node.
func TestGremlinsOnTheRealPi(t *testing.T) {
	need(t)
	t.Parallel()
	g := &gremlins{Rig: world(t, rig.Pi, fakemodel.Steps(fakemodel.Say("Done.")), ""), t: t}
	g.within(3 * time.Minute)
	program := filepath.Join(g.Dir, "pi")
	argv := g.Host.Argv(install)
	if err := os.WriteFile(program, []byte("#!/bin/sh\nexec '"+strings.Join(argv, "' '")+"' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	g.ok(nil, "init", "--harness", "pi", "--model", "fake/fake-1", "--binary", program)
	var base, first, turn, rebased launched
	g.ok(&base, "train", "--base", "B1", "--brief", g.brief("Read everything."), "--phase", "1")
	if r := g.wait()[base.Job]; r.Status != record.OK || *r.Session != base.SessionID || *r.Turns != 1 || r.Tokens.Output == 0 {
		t.Fatalf("train: %+v", r)
	}
	g.ok(&first, "spawn", "--base", "B1", "--block", "P1", "--brief", g.brief("Build."), "--phase", "1")
	r := g.wait()[first.Job]
	if r.Status != record.OK || *r.Session == base.SessionID || *r.ParentSession != base.SessionID {
		t.Errorf("spawn: %+v", r)
	}
	if text := g.Model.Requests()[1].Text(); !strings.Contains(text, "Read everything.") || !strings.Contains(text, "Build.") {
		t.Errorf("the fork does not know what the base was told:\n%s", text)
	}
	g.ok(&turn, "continue", "--job", first.Job, "--brief", g.brief("- once more"))
	if again := g.wait()[turn.Job]; again.Status != record.OK || *again.Session != *r.Session {
		t.Errorf("continue: %+v", again)
	}
	g.ok(&rebased, "rebase", "--base", "B1", "--as", "B2", "--phase", "2")
	if rebased.SessionID != "" {
		t.Errorf("pi chooses a fork's id, and yet there was one: %+v", rebased)
	}
	if r := g.wait()[rebased.Job]; r.Status != record.OK {
		t.Errorf("rebase: %+v", r)
	}
}

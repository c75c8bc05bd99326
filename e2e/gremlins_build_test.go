//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// TestGremlinsOnTheRealClaude is a build from its first call to its last: a base, gremlins of it that commit, go on, are killed
// and are rebased, and a ping in between. docs/gremlins.md shows its calls and what they printed.
func TestGremlinsOnTheRealClaude(t *testing.T) {
	g := newGremlins(t, steps)
	g.git("init", "-q")
	g.git("commit", "-q", "--allow-empty", "-m", "start")
	base, before := g.trainB1()
	g.build(base)
	lost := g.killed("printer")
	g.pinged("B1")
	g.nextPhase()
	if g.transcript(base) != before {
		t.Error("forks have changed the base's transcript")
	}
	g.accounts(lost)
	g.isDocumented("../docs/gremlins.md")
}

// trainB1 trains the base that all the others are spawned from, and returns its session and its transcript's hash.
func (g *gremlins) trainB1() (session, transcript string) {
	g.t.Helper()
	var base launched
	g.ok(&base, "train", "--base", "B1", "--brief", g.file("train.md", "Read everything. DO:tool"), "--phase", "1")
	r := g.wait()[base.Job]
	if how(r) != "ok/" || *r.Session != base.SessionID || !slices.Equal(r.ModelsUsed, []string{gremlinModel}) || *r.Turns != 2 {
		g.t.Fatalf("train: %+v", r)
	}
	g.checkResult(r, g.cache.Billed())
	before := g.transcript(base.SessionID)
	if before == "" {
		g.t.Fatal("the base has no transcript")
	}
	return base.SessionID, before
}

// build spawns a gremlin that commits and writes its note, and has it go on.
func (g *gremlins) build(base string) {
	g.t.Helper()
	var first, turn launched
	g.ok(&first, "spawn", "--base", "B1", "--block", "parser", "--brief", g.file("parser.md", "Build. DO:commit"), "--phase", "1")
	r := g.wait()[first.Job]
	if first.BaseState != "warm" || first.RebaseDue || first.RetrainDue || how(r) != "ok/" || *r.Cache != "hit" || *r.Session == base {
		g.t.Fatalf("the first spawn: %+v, %+v", first, r)
	}
	if r.Note == nil || *r.Note != "notes/parser.md" || r.Raw != "raw/"+first.Job+".jsonl" {
		g.t.Errorf("note %v, raw %s", r.Note, r.Raw)
	}
	for _, file := range []string{"notes/parser.md", r.Raw} {
		if _, err := os.Stat(filepath.Join(g.Clone, "run-gremlins", file)); err != nil {
			g.t.Error(err)
		}
	}
	if head := g.git("log", "-1", "--format=%s"); head != "parser" {
		g.t.Errorf("the gremlin was to commit: %s", head)
	}
	g.ok(&turn, "continue", "--job", first.Job, "--brief", g.file("more.md", "And once more."))
	if again := g.wait()[turn.Job]; how(again) != "ok/" || *again.Session != *r.Session || *again.Cache != "hit" {
		g.t.Errorf("continue: %+v", again)
	}
}

// nextPhase says that the base is of another phase, makes a new one of it, and spawns from that.
func (g *gremlins) nextPhase() {
	g.t.Helper()
	var second, rebased, third launched
	g.ok(&second, "spawn", "--base", "B1", "--block", "lexer", "--brief", g.file("lexer.md", "Build more."), "--phase", "2")
	if !second.RebaseDue || !slices.Contains(second.Reasons, "phase_boundary") {
		g.t.Errorf("%+v", second)
	}
	g.wait()
	g.ok(&rebased, "rebase", "--base", "B1", "--as", "B2", "--phase", "2", "--delta-note", "run-gremlins/notes/parser.md")
	if r := g.wait()[rebased.Job]; how(r) != "ok/" || *r.Session != rebased.SessionID {
		g.t.Errorf("rebase: %+v", r)
	}
	g.ok(&third, "spawn", "--base", "B2", "--block", "linker", "--brief", g.file("linker.md", "Build the rest."), "--phase", "2")
	if r := g.wait()[third.Job]; third.RebaseDue || how(r) != "ok/" || *r.Cache != "hit" {
		g.t.Errorf("from the new base: %+v, %+v", third, r)
	}
}

// killed spawns a gremlin that hangs in a tool, which runs in a session of its own and has started a process in yet another;
// ends all of them, and returns what it was billed: of a killed run nobody hears that.
func (g *gremlins) killed(block string) fakemodel.Bill {
	g.t.Helper()
	var l launched
	g.ok(&l, "spawn", "--base", "B1", "--block", block, "--brief", g.file(block+".md", "DO:hang"), "--phase", "1")
	grandchild := g.grandchild()
	var k struct {
		OK, Killed bool
		Status     string
		Survivors  []record.Process
	}
	if g.ok(&k, "kill", "--job", l.Job); !k.OK || !k.Killed || k.Status != record.Killed || len(k.Survivors) > 0 {
		g.t.Errorf("%+v", k)
	}
	if grandchild.lives() {
		g.t.Errorf("the grandchild %d lives", grandchild)
	}
	if r := g.wait()[l.Job]; how(r) != "killed/kill" || r.Tokens != nil || r.CostDeltaUSD != nil {
		g.t.Errorf("%+v", r)
	}
	all := g.cache.Billed()
	return all[len(all)-1]
}

// pinged lets the base's cache grow old, as far as Lorimer knows, and has it touched. The real one would take minutes.
func (g *gremlins) pinged(base string) {
	g.t.Helper()
	g.age(base, 4*time.Minute)
	before := g.transcripts()
	var tick struct {
		Pings []struct{ Base, Decision, Reason, Job string }
	}
	g.ok(&tick, "tick")
	if len(tick.Pings) != 1 || tick.Pings[0].Base != base || tick.Pings[0].Job == "" || tick.Pings[0].Reason != "expiring" {
		g.t.Fatalf("%+v", tick)
	}
	for _, j := range g.jobs() {
		if j.Job == tick.Pings[0].Job && (j.Kind != record.Ping || j.Status != record.OK) {
			g.t.Errorf("%+v", j)
		}
	}
	if all := g.cache.Billed(); all[len(all)-1].Read == 0 {
		g.t.Errorf("the ping has read nothing from the cache: %+v", all[len(all)-1])
	}
	if left := g.transcripts(); left != before {
		g.t.Errorf("a ping leaves no transcript; there are %d, there were %d", left, before)
	}
}

func (g *gremlins) transcripts() int {
	all, _ := filepath.Glob(filepath.Join(g.Home, ".claude", "projects", "*", "*.jsonl"))
	return len(all)
}

// age sets back when a base was last touched, in the registry.
func (g *gremlins) age(base string, by time.Duration) {
	g.t.Helper()
	file := filepath.Join(g.Clone, "run-gremlins", "registry.json")
	b, err := os.ReadFile(file)
	must(g.t, err)
	var reg map[string]any
	must(g.t, json.Unmarshal(b, &reg))
	touch := reg["bases"].(map[string]any)[base].(map[string]any)["touch"].(map[string]any)
	then, err := time.Parse(time.RFC3339Nano, touch["at"].(string))
	must(g.t, err)
	touch["at"], touch["boot"] = then.Add(-by).Format("2006-01-02T15:04:05.000Z"), ""
	b, err = json.Marshal(reg)
	must(g.t, err)
	must(g.t, os.WriteFile(file, b, 0o600))
}

// accounts looks at what stands in the books at the end.
func (g *gremlins) accounts(lost ...fakemodel.Bill) {
	g.t.Helper()
	g.checkBill(lost...)
	jobs := g.jobs()
	if len(jobs) != 8 {
		g.t.Errorf("%d jobs: %+v", len(jobs), jobs)
	}
	for _, j := range jobs {
		if slices.Contains(j.Flags, record.UsageMismatch) || slices.Contains(j.Flags, record.ColdStart) {
			g.t.Errorf("%+v", j)
		}
	}
	if out, _ := g.print("list", "--format", "table"); !strings.Contains(string(out), "B1    superseded") {
		g.t.Errorf("%s", out)
	}
	for _, want := range []struct {
		args  []string
		lines []string
	}{
		{[]string{"--phase", "1"}, []string{"| train | 1 |", "| spawn | 2 |", "| continue | 1 |", "| ping | 1 |", "- Cold starts: 0", "- Hit ratio: 100 %"}},
		{[]string{"--block", "parser"}, []string{"| parser | " + gremlinModel + " |", g.git("log", "-1", "--format=%h")}},
	} {
		out, _ := g.print("usage", append(want.args, "--format", "md")...)
		for _, line := range want.lines {
			if !strings.Contains(string(out), line) {
				g.t.Errorf("usage %v lacks %q:\n%s", want.args, line, out)
			}
		}
	}
}

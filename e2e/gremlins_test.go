//go:build linux

package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// gremlins is a run of `lorimer gremlins` that drives the real Claude Code, against a model with a prompt cache.
type gremlins struct {
	*rig.Rig
	t     *testing.T
	ctx   context.Context
	cache *fakemodel.Cache
}

const gremlinModel = "claude-opus-5-5"

func newGremlins(t *testing.T, script fakemodel.Script) *gremlins {
	t.Helper()
	need(t)
	t.Parallel()
	g := &gremlins{Rig: world(t, rig.Claude, script, ""), t: t, cache: &fakemodel.Cache{}}
	g.Model.UseCache(g.cache)
	var cancel context.CancelFunc
	g.ctx, cancel = context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	g.ok(nil, "init", "--model", gremlinModel, "--binary", g.Host.Program(install), "--allowed-tools", "Bash", "--permission-mode", "default")
	return g
}

// run is one call of the command line; it decodes the answer and returns the exit status.
func (g *gremlins) run(answer any, command string, args ...string) int {
	g.t.Helper()
	cmd := exec.CommandContext(g.ctx, filepath.Join(bin, "lorimer"), append([]string{"gremlins", command, "--run", "run.md"}, args...)...)
	cmd.Dir, cmd.Env = g.Clone, g.Environ()
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		g.t.Fatal(err)
	}
	if answer != nil {
		if err := json.Unmarshal(out, answer); err != nil {
			g.t.Fatalf("gremlins %s %v: %v\n%s", command, args, err, out)
		}
	}
	if cmd.ProcessState.ExitCode() != 0 {
		g.t.Logf("gremlins %s %v: exit %d\n%s", command, args, cmd.ProcessState.ExitCode(), out)
	}
	return cmd.ProcessState.ExitCode()
}

func (g *gremlins) ok(answer any, command string, args ...string) {
	g.t.Helper()
	if answer == nil {
		answer = &map[string]any{}
	}
	if exit := g.run(answer, command, args...); exit != 0 {
		g.t.Fatalf("gremlins %s: exit %d, %v", command, exit, answer)
	}
}

// brief is a file with a prompt.
func (g *gremlins) brief(text string) string {
	g.t.Helper()
	f, err := os.CreateTemp(g.Clone, "brief-*.md")
	if err != nil {
		g.t.Fatal(err)
	}
	defer f.Close()
	f.WriteString(text + "\n")
	return f.Name()
}

// wait waits for all jobs and gives the results by job.
func (g *gremlins) wait() map[string]record.Result {
	g.t.Helper()
	var w struct{ Done []record.Result }
	g.run(&w, "wait", "--all", "--timeout-s", "120")
	done := map[string]record.Result{}
	for _, r := range w.Done {
		done[r.Job] = r
	}
	return done
}

type launched struct {
	Job        string
	SessionID  string `json:"session_id"`
	BaseState  string `json:"base_state"`
	RebaseDue  bool   `json:"rebase_due"`
	RetrainDue bool   `json:"retrain_due"`
	Reasons    []string
}

// transcript is a session's file, hashed.
func (g *gremlins) transcript(session string) string {
	g.t.Helper()
	found, _ := filepath.Glob(filepath.Join(g.Home, ".claude", "projects", "*", session+".jsonl"))
	if len(found) != 1 {
		return ""
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		g.t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// newest is what was said since the model last spoke.
func newest(r fakemodel.Request) (text string) {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == "assistant" {
			break
		}
		text += m.Text() + "\n"
	}
	return text
}

// steps answers by what the prompt asks for; a tool's result is answered by the end.
func steps(r fakemodel.Request) fakemodel.Step {
	switch text := newest(r); {
	case strings.Contains(text, "DO:overloaded"):
		return fakemodel.Fail(529, "Overloaded")
	case strings.Contains(text, "DO:too-long"):
		return fakemodel.Fail(400, "prompt is too long: 250001 tokens > 200000 maximum")
	case strings.Contains(text, "DO:other-model"):
		return fakemodel.Step{Text: "I am another.", Model: "claude-haiku-4-5"}
	case strings.Contains(text, "DO:hang"):
		return fakemodel.Use("Bash", map[string]any{"command": "setsid sleep 300 & echo $! > $E2E/grandchild; sleep 300", "description": "wait"})
	case strings.Contains(text, "DO:commit"):
		return fakemodel.Use("Bash", map[string]any{"command": "git -c user.name=g -c user.email=g@example.com commit -q --allow-empty -m P1", "description": "commit"})
	case strings.Contains(text, "DO:tool"):
		return fakemodel.Use("Bash", map[string]any{"command": "echo trained", "description": "look"})
	}
	return fakemodel.Say("Done.")
}

// TestGremlinsOnTheRealClaude is a build from its first call to its last: a base, gremlins of it that commit, go on, are killed
// and are rebased, and a ping in between.
func TestGremlinsOnTheRealClaude(t *testing.T) {
	g := newGremlins(t, steps)
	g.git("init", "-q")
	g.git("commit", "-q", "--allow-empty", "-m", "start")
	base, before := g.trainB1()

	var first launched
	g.ok(&first, "spawn", "--base", "B1", "--block", "P1", "--brief", g.brief("Build. DO:commit"), "--phase", "1")
	r := g.wait()[first.Job]
	if first.BaseState != "warm" || first.RebaseDue || first.RetrainDue || r.Status != record.OK || r.Cache == nil || *r.Cache != "hit" || *r.Session == base {
		t.Errorf("the first spawn: %+v, %+v", first, r)
	}
	if head := g.git("log", "-1", "--format=%s"); head != "P1" {
		t.Errorf("the gremlin was to commit: %s", head)
	}
	spawned := *r.Session
	var turn launched
	g.ok(&turn, "continue", "--job", first.Job, "--brief", g.brief("And once more."))
	if r = g.wait()[turn.Job]; r.Status != record.OK || *r.Session != spawned || *r.Cache != "hit" {
		t.Errorf("continue: %+v", r)
	}
	lost := g.killed("K1")
	g.pinged("B1")

	var second launched
	g.ok(&second, "spawn", "--base", "B1", "--block", "P2a", "--brief", g.brief("Build more."), "--phase", "2")
	if !second.RebaseDue || !slices.Contains(second.Reasons, "phase_boundary") {
		t.Errorf("%+v", second)
	}
	g.wait()
	var rebased launched
	g.ok(&rebased, "rebase", "--base", "B1", "--as", "B2", "--phase", "2")
	if r = g.wait()[rebased.Job]; r.Status != record.OK || *r.Session != rebased.SessionID {
		t.Errorf("rebase: %+v", r)
	}
	var third launched
	g.ok(&third, "spawn", "--base", "B2", "--block", "P2b", "--brief", g.brief("Build the rest."), "--phase", "2")
	if r = g.wait()[third.Job]; third.RebaseDue || r.Status != record.OK || *r.Cache != "hit" {
		t.Errorf("from the new base: %+v, %+v", third, r)
	}
	if g.transcript(base) != before {
		t.Error("forks have changed the base's transcript")
	}
	g.accounts(lost)
}

// trainB1 trains the base that the tests spawn from, and returns its session and its transcript's hash.
func (g *gremlins) trainB1() (session, transcript string) {
	g.t.Helper()
	var base launched
	g.ok(&base, "train", "--base", "B1", "--brief", g.brief("Read everything. DO:tool"), "--phase", "1")
	r := g.wait()[base.Job]
	if r.Status != record.OK || *r.Session != base.SessionID || !slices.Equal(r.ModelsUsed, []string{gremlinModel}) || *r.Turns != 2 || len(r.Flags) != 0 {
		g.t.Fatalf("train: %+v", r)
	}
	before := g.transcript(base.SessionID)
	if before == "" {
		g.t.Fatal("the base has no transcript")
	}
	return base.SessionID, before
}

// killed spawns a gremlin that hangs in a tool, kills it, and returns what it was billed: of a killed run nobody hears that.
func (g *gremlins) killed(block string) fakemodel.Bill {
	g.t.Helper()
	var l launched
	g.ok(&l, "spawn", "--base", "B1", "--block", block, "--brief", g.brief("DO:hang"), "--phase", "1")
	g.grandchild()
	g.ok(nil, "kill", "--job", l.Job)
	if r := g.wait()[l.Job]; r.Status != record.Killed || r.Reason == nil || *r.Reason != record.ReasonKill {
		g.t.Errorf("%+v", r)
	}
	all := g.cache.Billed()
	return all[len(all)-1]
}

// pinged lets the base's cache grow old, as far as Lorimer knows, and has it touched. The real one would take minutes.
func (g *gremlins) pinged(base string) {
	g.t.Helper()
	file := filepath.Join(g.Clone, "run-gremlins", "registry.json")
	b, err := os.ReadFile(file)
	must(g.t, err)
	var reg map[string]any
	must(g.t, json.Unmarshal(b, &reg))
	touch := reg["bases"].(map[string]any)[base].(map[string]any)["touch"].(map[string]any)
	then, err := time.Parse(time.RFC3339Nano, touch["at"].(string))
	must(g.t, err)
	touch["at"], touch["boot"] = then.Add(-4*time.Minute).Format("2006-01-02T15:04:05.000Z"), ""
	b, err = json.Marshal(reg)
	must(g.t, err)
	must(g.t, os.WriteFile(file, b, 0o600))
	before, _ := filepath.Glob(filepath.Join(g.Home, ".claude", "projects", "*", "*.jsonl"))
	transcripts := len(before)
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
	if left, _ := filepath.Glob(filepath.Join(g.Home, ".claude", "projects", "*", "*.jsonl")); len(left) != transcripts {
		g.t.Errorf("a ping leaves no transcript; there are %v, there were %d", left, transcripts)
	}
}

type job struct {
	Job, Kind, Status string
	Flags             []string
}

// jobs waits until none runs, and lists all.
func (g *gremlins) jobs() []job {
	g.t.Helper()
	for {
		var l struct{ Jobs []job }
		g.ok(&l, "list")
		if !slices.ContainsFunc(l.Jobs, func(j job) bool { return j.Status == record.Running }) {
			return l.Jobs
		}
		if g.ctx.Err() != nil {
			g.t.Fatalf("still running: %+v", l.Jobs)
		}
		time.Sleep(100 * time.Millisecond)
	}
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
	cmd := exec.CommandContext(g.ctx, filepath.Join(bin, "lorimer"), "gremlins", "usage", "--run", "run.md", "--phase", "1", "--format", "md")
	cmd.Dir, cmd.Env = g.Clone, g.Environ()
	out, err := cmd.Output()
	for _, line := range []string{"| train | 1 |", "| spawn | 2 |", "| continue | 1 |", "| ping | 1 |", "- Cold starts: 0", "- Hit ratio: 100 %"} {
		if err != nil || !strings.Contains(string(out), line) {
			g.t.Errorf("usage lacks %q: %v\n%s", line, err, out)
		}
	}
}

// git runs git in the clone, as its user would.
func (g *gremlins) git(args ...string) string {
	g.t.Helper()
	cmd := exec.CommandContext(g.ctx, "git", append([]string{"-c", "user.name=u", "-c", "user.email=u@example.com"}, args...)...)
	cmd.Dir, cmd.Env = g.Clone, g.Environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// checkBill holds the ledger's sums against what the model billed, but for what got lost.
func (g *gremlins) checkBill(lost ...fakemodel.Bill) {
	g.t.Helper()
	var u struct {
		Kinds map[string]struct{ Tokens record.Tokens }
	}
	g.ok(&u, "usage")
	var read, write, input int64
	for _, k := range u.Kinds {
		read, write, input = read+k.Tokens.CacheRead, write+k.Tokens.CacheCreation, input+k.Tokens.Input
	}
	var wantRead, wantWrite, wantInput int64
	for _, b := range g.cache.Billed() {
		wantRead, wantWrite, wantInput = wantRead+int64(b.Read), wantWrite+int64(b.Write), wantInput+int64(b.Input)
	}
	for _, b := range lost {
		wantRead, wantWrite, wantInput = wantRead-int64(b.Read), wantWrite-int64(b.Write), wantInput-int64(b.Input)
	}
	if read != wantRead || write != wantWrite || input != wantInput {
		g.t.Errorf("the ledger has read %d, write %d, input %d; billed were %d, %d, %d", read, write, input, wantRead, wantWrite, wantInput)
	}
}

func TestHowGremlinsOfTheRealClaudeEnd(t *testing.T) {
	g := newGremlins(t, steps)
	block := `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"! grep -q DO:blocked || { echo no >&2; exit 2; }"}]}]}}`
	if err := os.MkdirAll(filepath.Join(g.Clone, ".claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(g.Clone, settings), []byte(block), 0o644); err != nil {
		t.Fatal(err)
	}
	g.ok(nil, "train", "--base", "B1", "--brief", g.brief("Read everything."), "--phase", "1")
	if r := g.wait()["j1"]; r.Status != record.OK {
		t.Fatalf("%+v", r)
	}
	for what, want := range map[string]string{
		"overloaded":  "failed/overloaded",
		"too-long":    "failed/prompt_too_long",
		"other-model": "failed/model_refused",
		"blocked":     "failed/no_result needs_attention",
	} {
		var l launched
		g.ok(&l, "spawn", "--base", "B1", "--block", what, "--brief", g.brief("DO:"+what))
		r := g.wait()[l.Job]
		got := r.Status + "/"
		if r.Reason != nil {
			got += *r.Reason
		}
		if got = strings.TrimSpace(got + " " + strings.Join(r.Flags, ",")); got != want {
			t.Errorf("%s: %s, want %s\n%+v", what, got, want, r)
		}
	}
}

// Killed in the middle of a tool: the tool runs in a session of its own, and has started a process in yet another.
func TestKillingAGremlinOfTheRealClaude(t *testing.T) {
	g := newGremlins(t, steps)
	g.ok(nil, "train", "--base", "B1", "--brief", g.brief("Read everything."), "--phase", "1")
	g.wait()
	var l launched
	g.ok(&l, "spawn", "--base", "B1", "--block", "X", "--brief", g.brief("DO:hang"))
	file := g.grandchild()
	var k struct {
		OK        bool
		Status    string
		Killed    bool
		Survivors []record.Process
	}
	g.ok(&k, "kill", "--job", l.Job)
	if !k.OK || !k.Killed || k.Status != record.Killed || len(k.Survivors) > 0 {
		t.Errorf("%+v", k)
	}
	b, _ := os.ReadFile(file)
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil || platform.Current.Alive(pid, 0) { // a zombie has ended; its new parent only has to hear of it
		t.Errorf("the grandchild %d lives, or was none: %v", pid, err)
	}
	if r := g.wait()[l.Job]; r.Reason == nil || *r.Reason != record.ReasonKill {
		t.Errorf("%+v", r)
	}
}

// grandchild waits for the process that the tool of a hanging gremlin starts, and returns the file with its pid.
func (g *gremlins) grandchild() string {
	g.t.Helper()
	file := filepath.Join(g.Dir, "e2e", "grandchild")
	for {
		if b, _ := os.ReadFile(file); strings.HasSuffix(string(b), "\n") {
			return file
		}
		if g.ctx.Err() != nil {
			g.t.Fatal("the tool has not started")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// pi takes the prompt as an argument, chooses the ids of forks itself, and is run by node.
func TestGremlinsOnTheRealPi(t *testing.T) {
	need(t)
	t.Parallel()
	g := &gremlins{Rig: world(t, rig.Pi, fakemodel.Steps(fakemodel.Say("Done.")), ""), t: t}
	var cancel context.CancelFunc
	g.ctx, cancel = context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
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

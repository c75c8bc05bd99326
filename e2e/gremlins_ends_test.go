//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// end is how a run of the real Claude Code ends.
type end struct {
	do, want string
	flags    []string               // of spawn
	before   func(*fakemodel.Cache) // the spawn
	unpriced bool                   // Claude Code tells what it used, and not what that costs
	short    bool                   // it tells what all of it cost, and leaves out a part of what it used
	untold   bool                   // it tells nothing any more
}

// byModel are the ends that the model brings about.
var byModel = []end{
	{do: "overloaded", want: "failed/overloaded"},
	{do: "mid-stream", want: "failed/overloaded usage_mismatch", unpriced: true}, // no message tells of a stream that broke
	{do: "too-long", want: "failed/prompt_too_long"},
	{do: "other-model", want: "failed/model_refused"},
	{do: "refuse", want: "failed/model_refused"},
	{do: "forbidden", want: "failed/model_refused usage_mismatch", short: true}, // what is refused for a reason goes to another model
	{do: "forgotten", want: "ok/ cold_start", before: (*fakemodel.Cache).Forget},
}

// byProject are those that the flags, the tools and the hooks bring about.
var byProject = []end{
	{do: "tool", want: "failed/is_error", flags: []string{"--max-budget-usd", "0.0001"}},
	{do: "background", want: "ok/"},
	{do: "write", want: "ok/ needs_attention"}, // it may use Bash, and no other tool that changes something
	{do: "blocked", want: "failed/no_result needs_attention"},
	{do: "stopped", want: "failed/no_result needs_attention"},
	{do: "hang", want: "timeout/", flags: []string{"--max-minutes", "0.1"}, untold: true},
}

// hooks block a prompt, and end a run behind a tool.
const hooks = `{"hooks":{
	"UserPromptSubmit":[{"hooks":[{"type":"command","command":"! grep -q DO:blocked || { echo no >&2; exit 2; }"}]}],
	"PostToolUse":[{"hooks":[{"type":"command","command":"! grep -q stop-here || echo '{\"continue\":false,\"stopReason\":\"enough\"}'"}]}]}}`

func TestHowTheModelEndsGremlinsOfTheRealClaude(t *testing.T) { endsOf(t, byModel) }

func TestHowTheProjectEndsGremlinsOfTheRealClaude(t *testing.T) { endsOf(t, byProject).lost() }

// endsOf spawns a gremlin for each end, and holds what is told of it against what was billed.
func endsOf(t *testing.T, ends []end) *gremlins {
	t.Helper()
	g := newGremlins(t, steps)
	g.file(settings, hooks)
	g.ok(nil, "init", "--pings", "off") // one on a slow machine would stand in the bill
	g.ok(nil, "train", "--base", "B1", "--brief", g.brief("Read everything."), "--phase", "1")
	if r := g.wait()["j1"]; r.Status != record.OK {
		t.Fatalf("%+v", r)
	}
	for _, e := range ends {
		if e.before != nil {
			e.before(g.cache)
		}
		before := len(g.cache.Billed())
		var l launched
		g.ok(&l, "spawn", append([]string{"--base", "B1", "--block", e.do, "--brief", g.brief("DO:" + e.do)}, e.flags...)...)
		r := g.wait()[l.Job]
		if got := how(r); got != e.want {
			t.Errorf("%s: %s, want %s\n%+v", e.do, got, e.want, r)
		}
		bills := g.cache.Billed()[before:]
		if !e.short && !e.untold {
			g.checkTokens(r, bills)
		}
		if !e.unpriced && !e.untold {
			g.checkCost(r, bills)
		} else if r.CostDeltaUSD != nil {
			t.Errorf("%s: nobody told that it cost %v", e.do, *r.CostDeltaUSD)
		}
	}
	return g
}

// lost ends the supervisor of a gremlin that hangs in a tool. Nothing of it runs on, and it is said.
func (g *gremlins) lost() {
	g.t.Helper()
	os.Remove(filepath.Join(g.Dir, "e2e", "grandchild")) // of one before, if it came so far
	var l launched
	g.ok(&l, "spawn", "--base", "B1", "--block", "lost", "--brief", g.brief("DO:hang"))
	grandchild := g.grandchild()
	var reg record.Registry
	b, err := os.ReadFile(filepath.Join(g.Clone, "run-gremlins", "registry.json"))
	must(g.t, err)
	must(g.t, json.Unmarshal(b, &reg))
	j := reg.Jobs[l.Job]
	platform.Current.Terminate(j.Supervisor.PID)
	if r := g.wait()[l.Job]; how(r) != "lost/supervisor_dead" {
		g.t.Errorf("%+v", r)
	}
	if grandchild.lives() || platform.Current.Alive(j.Harness.PID, j.Harness.Ctime) {
		g.t.Error("something of it lives")
	}
}

// With a plan instead of a key the cache lives an hour, and a plan can be used up.
func TestGremlinsOfAPlan(t *testing.T) {
	g := newGremlins(t, steps, "ANTHROPIC_API_KEY=", "CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-dummy")
	g.ok(nil, "train", "--base", "B1", "--brief", g.brief("Read everything."), "--phase", "1")
	r := g.wait()["j1"]
	g.checkResult(r, g.cache.Billed())
	if how(r) != "ok/" || r.Tokens.CacheCreation1h == 0 {
		t.Fatalf("%s %+v", how(r), r.Tokens)
	}
	before := len(g.cache.Billed())
	var l launched
	g.ok(&l, "spawn", "--base", "B1", "--block", "X", "--brief", g.brief("DO:limit"), "--phase", "1")
	r = g.wait()[l.Job]
	if how(r) != "failed/usage_limit" || len(l.Reasons) != 0 {
		t.Errorf("%s %+v", how(r), l)
	}
	g.checkResult(r, g.cache.Billed()[before:])
	g.cache.Shorten()
	g.ok(&l, "spawn", "--base", "B1", "--block", "Y", "--brief", g.brief("Build."), "--phase", "1")
	if r = g.wait()[l.Job]; how(r) != "ok/ ttl_downgrade" {
		t.Errorf("written for five minutes: %s", how(r))
	}
	var list struct {
		Bases []struct {
			WarmUntil record.Stamp `json:"warm_until"`
			TrainedAt record.Stamp `json:"trained_at"`
		}
	}
	g.ok(&list, "list")
	if b := list.Bases[0]; b.WarmUntil.Sub(b.TrainedAt.Time).Round(time.Minute) != time.Hour {
		t.Errorf("%+v", b)
	}
}

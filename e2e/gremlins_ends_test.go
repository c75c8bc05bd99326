//go:build linux

package e2e

import (
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// ends are how runs of the real Claude Code end, by what the model or the project does to them.
var ends = []struct {
	do, want string
	flags    []string // of spawn
	unpriced bool     // Claude Code tells what it used, and not what that costs
	short    bool     // it tells what all of it cost, and leaves out a part of what it used
}{
	{do: "overloaded", want: "failed/overloaded"},
	{do: "mid-stream", want: "failed/overloaded usage_mismatch", unpriced: true}, // no message tells of a stream that broke
	{do: "too-long", want: "failed/prompt_too_long"},
	{do: "other-model", want: "failed/model_refused"},
	{do: "refuse", want: "failed/model_refused"},
	{do: "forbidden", want: "failed/model_refused usage_mismatch", short: true}, // what is refused for a reason goes to another model
	{do: "tool", want: "failed/is_error", flags: []string{"--max-budget-usd", "0.0001"}},
	{do: "background", want: "ok/"},
	{do: "blocked", want: "failed/no_result needs_attention"},
}

func TestHowGremlinsOfTheRealClaudeEnd(t *testing.T) {
	g := newGremlins(t, steps)
	g.file(settings, `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"! grep -q DO:blocked || { echo no >&2; exit 2; }"}]}]}}`)
	g.ok(nil, "train", "--base", "B1", "--brief", g.brief("Read everything."), "--phase", "1")
	if r := g.wait()["j1"]; r.Status != record.OK {
		t.Fatalf("%+v", r)
	}
	for _, c := range ends {
		before := len(g.cache.Billed())
		var l launched
		g.ok(&l, "spawn", append([]string{"--base", "B1", "--block", c.do, "--brief", g.brief("DO:" + c.do)}, c.flags...)...)
		r := g.wait()[l.Job]
		if got := how(r); got != c.want {
			t.Errorf("%s: %s, want %s\n%+v", c.do, got, c.want, r)
		}
		bills := g.cache.Billed()[before:]
		if !c.short {
			g.checkTokens(r, bills)
		}
		switch {
		case !c.unpriced:
			g.checkCost(r, bills)
		case r.CostDeltaUSD != nil:
			t.Errorf("%s: nobody told that it cost %v", c.do, *r.CostDeltaUSD)
		}
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

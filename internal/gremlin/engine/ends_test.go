//go:build linux

package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// how is a result's end in short: status/reason flags.
func how(r record.Result) string {
	reason := ""
	if r.Reason != nil {
		reason = *r.Reason
	}
	return strings.TrimSpace(r.Status + "/" + reason + " " + strings.Join(r.Flags, ","))
}

func TestHowGremlinsEnd(t *testing.T) {
	apiError := func(status int, more map[string]any) map[string]any {
		r := map[string]any{"is_error": true, "terminal_reason": "api_error", "api_error_status": status}
		for k, v := range more {
			r[k] = v
		}
		return r
	}
	w := trained(t)
	for _, c := range []struct {
		name string
		s    script
		want string
	}{
		{"ok", script{}, "ok/"},
		{"another model", script{Model: "claude-other-2"}, "failed/model_refused"},
		{"the same model with a date", script{Model: "claude-test-1-20261130"}, "ok/"},
		{"a variant of it", script{Model: "claude-test-1[1m]"}, "ok/"},
		{"limit", script{Lines: []string{`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected"}}`}, Result: apiError(429, nil), Exit: 1}, "failed/usage_limit"},
		{"overloaded", script{Result: apiError(529, nil), Exit: 1}, "failed/overloaded"},
		{"too long", script{Result: map[string]any{"is_error": true, "terminal_reason": "prompt_too_long"}, Exit: 1}, "failed/prompt_too_long"},
		{"api error", script{Result: apiError(500, nil), Exit: 1}, "failed/api_error"},
		{"turns", script{Result: map[string]any{"is_error": true, "terminal_reason": "max_turns"}, Exit: 1}, "failed/is_error"},
		{"exit code", script{NoResult: true, Exit: 3}, "failed/exit_code"},
		{"no result", script{NoResult: true}, "failed/no_result"},
		{"killed by somebody else", script{Die: true}, "failed/exit_code"},
		{"denials", script{Result: map[string]any{"permission_denials": []any{1, 2}}}, "ok/ needs_attention"},
		{"the cache was gone", script{Read: ptr(0), Write: ptr(900), Write1h: ptr(900)}, "ok/ cold_start"},
		{"written for five minutes", script{Write1h: ptr(0)}, "ok/ ttl_downgrade"},
		{"told another sum", script{Result: map[string]any{"usage": map[string]any{"input_tokens": 3, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 40, "cache_creation": map[string]any{"ephemeral_1h_input_tokens": 40}}}}, "ok/ usage_mismatch"},
		{"a message told twice", script{Lines: []string{`{"type":"assistant","message":{"id":"m1","model":"claude-test-1","usage":{"input_tokens":3,"cache_read_input_tokens":1000,"cache_creation_input_tokens":50}}}`}}, "ok/"},
		{"a sub-agent's message", script{Lines: []string{`{"type":"assistant","parent_tool_use_id":"t","message":{"id":"m9","usage":{"input_tokens":300}}}`}}, "ok/"},
		{"garbage in between", script{Lines: []string{"no JSON", `{"type":`, "\x00\xff", strings.Repeat("x", 3<<20)}}, "ok/"},
	} {
		w.spawn("B1", "X", c.s)
		if r := w.one(); how(r) != c.want {
			t.Errorf("%s: %s, want %s\n%+v", c.name, how(r), c.want, r)
		}
	}
}

func TestTimeIsUp(t *testing.T) {
	w := trained(t)
	out, err := w.Spawn(engine.SpawnFlags{Run: w.log, Base: "B1", Block: "X", Brief: w.brief(script{Hang: true}), MaxMinutes: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	if r := w.one(); r.Job != out.Job || r.Status != record.Timeout || r.Reason != nil || r.WallS < 0.6 {
		t.Errorf("%+v", r)
	}
}

func TestKillEndsAGremlinAndAllThatItStarted(t *testing.T) {
	for name, s := range map[string]script{
		"hanging":               {Hang: true, Children: 3},
		"deaf":                  {Hang: true, Deaf: true, Children: 1},
		"before its first word": {DelayMS: 60_000},
	} {
		t.Run(name, func(t *testing.T) {
			w := trained(t)
			out := w.spawn("B1", "X", s)
			w.until("the harness runs", func(reg *record.Registry) bool {
				j := reg.Jobs[out.Job]
				return j.Harness.PID > 0 && (j.Began || s.DelayMS > 0)
			})
			k, err := w.Kill(w.log, out.Job)
			if err != nil || !k.OK || !k.Killed || k.Status != record.Killed || len(k.Survivors) > 0 || k.TreeKillRC != nil {
				t.Errorf("%+v, %v", k, err)
			}
			if r := w.one(); how(r) != "killed/kill" {
				t.Errorf("%+v", r)
			}
			if k, err = w.Kill(w.log, out.Job); err != nil || !k.OK || k.Killed {
				t.Errorf("a second time: %+v, %v", k, err)
			}
			if left := platform.Environ("WORLD=" + w.dir); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

func TestTheSweepFollowsANormalEnd(t *testing.T) {
	w := trained(t)
	w.spawn("B1", "X", script{Children: 4})
	if r := w.one(); how(r) != "ok/" {
		t.Errorf("%+v", r)
	}
	if left := platform.Environ("WORLD=" + w.dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestAJobWhoseSupervisorDiesIsLost(t *testing.T) {
	w := trained(t)
	out := w.spawn("B1", "X", script{Hang: true, Children: 2})
	w.until("it is under way", func(reg *record.Registry) bool { return reg.Jobs[out.Job].Began })
	w.Platform.Terminate(w.registry().Jobs[out.Job].Supervisor.PID)
	r := w.one()
	if how(r) != "lost/supervisor_dead" || len(r.ModelsUsed) != 1 {
		t.Errorf("%+v", r)
	}
	if left := platform.Environ("WORLD=" + w.dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestNobodyWaitsAnyMore(t *testing.T) {
	w := trained(t)
	if _, err := w.Init(engine.InitFlags{Run: w.log, OrphanAfterS: ptr(1)}); err != nil {
		t.Fatal(err)
	}
	out := w.spawn("B1", "X", script{Hang: true})
	w.until("the watchdog has ended it", func(reg *record.Registry) bool { return reg.Jobs[out.Job].Status != record.Running })
	if r := w.one(); how(r) != "killed/orphaned orphaned" {
		t.Errorf("%+v", r)
	}
}

func TestWaitingKeepsThemAlive(t *testing.T) {
	w := trained(t)
	if _, err := w.Init(engine.InitFlags{Run: w.log, OrphanAfterS: ptr(2)}); err != nil {
		t.Fatal(err)
	}
	w.spawn("B1", "X", script{WorkMS: 3000})
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		out, exit, err := w.Wait(engine.WaitFlags{Run: w.log, All: true, Timeout: 500 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if exit == 0 {
			if how(out.Done[0]) != "ok/" {
				t.Errorf("%+v", out.Done[0])
			}
			return
		}
		if exit != engine.ExitAgain || len(out.Running) != 1 {
			t.Fatalf("%+v, exit %d", out, exit)
		}
	}
	t.Error("it never ended")
}

func TestExpireEndsAndRetires(t *testing.T) {
	w := trained(t)
	out := w.spawn("B1", "X", script{Hang: true})
	w.until("it runs", func(reg *record.Registry) bool { return reg.Jobs[out.Job].Began })
	e, err := w.Expire(w.log, "B1")
	if err != nil || len(e.Killed) != 1 || !e.Killed[0].OK || len(e.Retired) != 1 || e.Retired[0] != "B1" {
		t.Errorf("%+v, %v", e, err)
	}
	if r := w.one(); how(r) != "killed/expire expired" {
		t.Errorf("%+v", r)
	}
	if b := w.registry().Bases["B1"]; b.Status != record.Retired || b.RetiredAt.IsZero() {
		t.Errorf("%+v", b)
	}
	if got := refusal(t, errOf(w.Spawn(engine.SpawnFlags{Run: w.log, Base: "B1", Block: "X", Brief: w.brief(script{})}))); got != "base is not active (use --force to spawn from it anyway)" {
		t.Error(got)
	}
}

func errOf[T any](_ T, err error) error { return err }

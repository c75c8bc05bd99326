package driver_test

import (
	"strings"
	"testing"

	golden "github.com/lorimer-dev/lorimer/golden/go/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/driver"
)

// claudeEnds are the ends that were measured on the real Claude Code 2.1.332.
var claudeEnds = []struct{ name, exit, lines, want string }{
	{"ok", "0", `{"type":"result","num_turns":1,"subtype":"success","is_error":false,"terminal_reason":"completed","api_error_status":null,"result":"x","permission_denials":[]}`, "ok/"},
	{"529", "1", `{"type":"result","num_turns":1,"subtype":"success","is_error":true,"terminal_reason":"api_error","api_error_status":529}`, "failed/overloaded"},
	{"429 by key", "1", `{"type":"result","num_turns":1,"subtype":"success","is_error":true,"terminal_reason":"api_error","api_error_status":429}`, "failed/api_error"},
	{"429 by plan", "1", `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected"}}` + "\n" +
		`{"type":"result","num_turns":1,"subtype":"success","is_error":true,"terminal_reason":"api_error","api_error_status":429}`, "failed/usage_limit"},
	{"prompt too long", "1", `{"type":"result","num_turns":1,"subtype":"success","is_error":true,"terminal_reason":"prompt_too_long","api_error_status":400}`, "failed/prompt_too_long"},
	{"image too large", "1", `{"type":"result","num_turns":1,"subtype":"success","is_error":true,"terminal_reason":"image_error","api_error_status":413}`, "failed/api_error"},
	{"overloaded in mid-stream", "1", `{"type":"result","num_turns":1,"subtype":"error_during_execution","is_error":true,"terminal_reason":"completed","errors":["[ede_diagnostic] overloaded_error"]}`, "failed/overloaded"},
	{"max turns", "1", `{"type":"result","num_turns":3,"subtype":"error_max_turns","is_error":true,"terminal_reason":"max_turns"}`, "failed/is_error"},
	{"budget", "1", `{"type":"result","num_turns":3,"subtype":"error_max_budget_usd","is_error":true,"terminal_reason":"budget_exhausted"}`, "failed/is_error"},
	{"bad flag", "1", ``, "failed/exit_code"},
	{"SIGKILL", "-9", ``, "failed/exit_code"},
	{"nothing at all", "0", ``, "failed/no_result"},
	{"SIGINT", "0", `{"type":"result","num_turns":1,"subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools"}`, "failed/is_error"},
	{"TERM after a result", "143", `{"type":"result","num_turns":1,"subtype":"success","is_error":false,"terminal_reason":"completed","result":"x"}`, "failed/exit_code"},
	{"prompt blocked by a hook", "0", `{"type":"result","num_turns":0,"subtype":"success","is_error":false,"result":"UserPromptSubmit operation blocked by hook"}`, "failed/no_result needs_attention"},
	{"ended by a hook", "0", `{"type":"result","num_turns":1,"subtype":"success","is_error":false,"terminal_reason":"hook_stopped","result":""}`, "failed/no_result needs_attention"},
	{"deferred", "0", `{"type":"result","num_turns":1,"subtype":"success","is_error":false,"terminal_reason":"tool_deferred","result":""}`, "failed/no_result needs_attention"},
	{"its cap of stops", "0", `{"type":"result","num_turns":9,"subtype":"success","is_error":false,"terminal_reason":"completed","result":""}`, "ok/ needs_attention"},
	{"a denial", "0", `{"type":"result","num_turns":1,"is_error":false,"terminal_reason":"completed","result":"x","permission_denials":[{"tool_name":"Bash"}]}`, "ok/ needs_attention"},
	{"refusal, another model", "0", `{"type":"system","subtype":"model_refusal_fallback"}` + "\n" + `{"type":"result","num_turns":1,"is_error":false,"terminal_reason":"completed","result":"x"}`, "failed/model_refused"},
}

func TestEndsOfClaude(t *testing.T) {
	for _, c := range claudeEnds {
		s := driver.NewStream(&golden.Claude)
		for line := range strings.Lines(`{"type":"system","subtype":"init","session_id":"S"}` + "\n" + c.lines) {
			s.Line([]byte(line))
		}
		status, reason, flags := s.Judge(map[string]string{"exit": c.exit})
		if got := strings.TrimSpace(status + "/" + reason + " " + strings.Join(flags, ",")); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if id, _ := s.Fact("session"); id != "S" {
			t.Errorf("%s: session %q", c.name, id)
		}
	}
}

func TestWhatClaudeCosts(t *testing.T) {
	s := driver.NewStream(&golden.Claude)
	for _, line := range []string{
		`{"type":"assistant","message":{"model":"claude-opus-5-5","id":"m1"}}`,
		`{"type":"assistant","parent_tool_use_id":"toolu_1","message":{"model":"claude-haiku-4-5","id":"m2"}}`,
		`{"type":"assistant","message":{"model":"<synthetic>","id":"m3"}}`,
		`{"type":"result","num_turns":2,"total_cost_usd":9.5,"usage":{"input_tokens":2,"cache_creation_input_tokens":87,"cache_read_input_tokens":24383,"output_tokens":84,"cache_creation":{"ephemeral_1h_input_tokens":80}},"modelUsage":{"claude-opus-5-5":{"contextWindow":1000000}},"model_usage_since_last_result":{"a":{"costUSD":0.5},"b":{"costUSD":0.25}}}`,
		`{"type":"result","num_turns":1,"total_cost_usd":9.6,"usage":{"input_tokens":1,"output_tokens":1},"model_usage_since_last_result":{"a":{"costUSD":0.125}}}`,
	} {
		if !s.Line([]byte(line)) {
			t.Fatal(line)
		}
	}
	u := s.Usage()
	if u.Input != 3 || u.Output != 85 || u.Read != 24383 || u.Write != 87 || u.Write1h != 80 || u.CostUSD == nil || *u.CostUSD != 0.875 {
		t.Errorf("%+v", u)
	}
	s.Line([]byte(`{"type":"result","subtype":"error_max_budget_usd","num_turns":1,"usage":{"input_tokens":0,"output_tokens":0},"model_usage_since_last_result":{"claude-opus-5-5":{"inputTokens":1,"outputTokens":42,"cacheReadInputTokens":3,"cacheCreationInputTokens":12104,"costUSD":0.0625,"cacheCreationEphemeral1hInputTokens":5}}}`))
	u = s.Usage()
	if u.Input != 4 || u.Output != 127 || u.Read != 24386 || u.Write != 12191 || u.Write1h != 85 || *u.CostUSD != 0.9375 {
		t.Errorf("with one that its budget ended: %+v", u)
	}
	if s.Line([]byte(`{"type":"assistant","message":{"id":"m4","usage":{"input_tokens":9}}}`)); s.Disagrees() {
		t.Error("what is told elsewhere contains what no message tells, and is held against nothing")
	}
	if models := s.Set("model"); len(models) != 1 || models[0] != "claude-opus-5-5" {
		t.Errorf("models of the main thread: %q", models)
	}
	for name, want := range map[string]string{"turns": "4", "window": "1000000", "first": "m1"} {
		if got, _ := s.Fact(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

package driver_test

import (
	"strconv"
	"strings"
	"testing"

	golden "github.com/lorimer-dev/lorimer/golden/go/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/driver"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// ends are the ends that were measured on the real programs: what they printed, but for what is not looked at.
var ends = []struct {
	driver                         *harness.Driver
	name, exit, lines, want, facts string
}{
	{&golden.Codex, "ok", "0", `{"type":"thread.started","thread_id":"T"}
{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata for other-1 not found."}}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_1","type":"command_execution","status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_1","type":"command_execution","exit_code":0,"status":"completed"}}
{"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"Done."}}
{"type":"turn.completed","usage":{"input_tokens":19134,"cached_input_tokens":6926,"cache_write_input_tokens":0,"output_tokens":13}}`,
		"ok/", "session=T first=item_1 text=Done. turns=1 in=12208 read=6926 out=13"},
	{&golden.Codex, "an empty answer", "0", `{"type":"turn.started"}
{"type":"turn.completed","usage":{"input_tokens":5,"output_tokens":1}}`, "ok/ needs_attention", "turns=1 in=5 read=0 out=1"},
	{&golden.Codex, "529", "1", `{"type":"turn.failed","error":{"message":"unexpected status 529 <unknown status code>: Overloaded, url: http://127.0.0.1:1/v1/responses"}}`, "failed/overloaded", ""},
	{&golden.Codex, "429", "1", `{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}`, "failed/api_error", ""},
	{&golden.Codex, "no such session", "1", ``, "failed/exit_code", ""},
	{&golden.Codex, "interrupted in a tool", "1", `{"type":"item.started","item":{"id":"item_0","type":"command_execution"}}`, "failed/exit_code", ""},
	{&golden.Codex, "nothing", "0", ``, "failed/no_result", ""},

	{&golden.Omp, "ok", "0", `{"type":"session","version":3,"id":"T"}
{"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"Read all."}]}}
{"type":"message_start","message":{"role":"assistant","content":[{"type":"toolCall","id":"c0"}],"model":"fake-1","usage":{"input":0,"output":0},"stopReason":"toolUse"}}
{"type":"message_end","message":{"role":"assistant","content":[{"type":"toolCall","id":"c0"}],"model":"fake-1","usage":{"input":16782,"output":17,"cacheRead":0,"cacheWrite":0},"stopReason":"toolUse"}}
{"type":"turn_end"}
{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"Done."}],"model":"fake-1","usage":{"input":100,"output":2,"cacheRead":16760,"cacheWrite":0},"stopReason":"stop"}}
{"type":"turn_end"}
{"type":"agent_end","isTerminal":true}`, "ok/", "session=T first=assistant text=Done. turns=2 in=16882 read=16760 out=19"},
	{&golden.Omp, "400", "1", `{"type":"message_end","message":{"role":"assistant","content":[],"usage":{"input":0,"output":0},"stopReason":"error","errorStatus":400}}
{"type":"agent_end","isTerminal":true}`, "failed/api_error", ""},
	{&golden.Omp, "four empty answers", "0", `{"type":"message_end","message":{"role":"assistant","content":[],"usage":{"input":5,"output":1},"stopReason":"stop"}}
{"type":"auto_retry_end","success":false,"attempt":3,"finalError":"Assistant returned an empty stop after retry cap"}
{"type":"agent_end","isTerminal":true}`, "failed/no_result", ""},
	{&golden.Omp, "no such session", "1", ``, "failed/exit_code", ""},
	{&golden.Omp, "an end that is none", "0", `{"type":"session","id":"T"}`, "failed/no_result", "session=T"},

	{&golden.Qwen, "ok", "0", `{"type":"system","subtype":"init","session_id":"T","model":"fake-1"}
{"type":"assistant","parent_tool_use_id":null,"message":{"id":"m1","model":"fake-1","content":[{"type":"tool_use","id":"c0"}],"usage":{"input_tokens":17797,"output_tokens":17}}}
{"type":"user","parent_tool_use_id":null,"message":{"content":[{"type":"tool_result","tool_use_id":"c0"}]}}
{"type":"result","subtype":"success","is_error":false,"num_turns":2,"result":"Done.","usage":{"input_tokens":35710,"output_tokens":19,"cache_read_input_tokens":17000},"permission_denials":[]}`,
		"ok/", "session=T first=m1 text=Done. turns=2 in=18710 read=17000 out=19"},
	{&golden.Qwen, "400", "1", `{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":1,"usage":{"input_tokens":0,"output_tokens":0},"permission_denials":[],"error":{"message":"[API Error: 400 this is bad]"}}`,
		"failed/api_error", ""},
	{&golden.Qwen, "no such session", "1", ``, "failed/exit_code", ""},

	{&golden.Opencode, "ok", "0", `{"type":"step_start","sessionID":"T","part":{"id":"prt_1"}}
{"type":"step_finish","sessionID":"T","part":{"id":"prt_3","reason":"tool-calls","tokens":{"input":7681,"output":17,"cache":{"write":0,"read":0}},"cost":0}}
{"type":"step_start","sessionID":"T","part":{"id":"prt_2"}}
{"type":"text","sessionID":"T","part":{"text":"Done."}}
{"type":"step_finish","sessionID":"T","part":{"id":"prt_3","reason":"stop","tokens":{"input":72,"output":2,"cache":{"write":0,"read":7681}},"cost":0}}`,
		"ok/", "session=T first=prt_1 text=Done. turns=2 in=7753 read=7681 out=19"},
	{&golden.Opencode, "an empty answer", "0", `{"type":"step_finish","sessionID":"T","part":{"id":"prt_3","reason":"stop","tokens":{"input":7679,"output":1}}}`, "ok/ needs_attention", "turns=1"},
	{&golden.Opencode, "400", "1", `{"type":"error","sessionID":"T","error":{"name":"APIError","data":{"message":"this is bad","statusCode":400}}}`, "failed/api_error", "session=T"},
	{&golden.Opencode, "no such session", "1", ``, "failed/exit_code", ""},
	{&golden.Opencode, "ended after a tool", "0", `{"type":"step_finish","sessionID":"T","part":{"id":"prt_3","reason":"tool-calls"}}`, "failed/no_result", ""},
}

func TestEndsOfOthers(t *testing.T) {
	for _, c := range ends {
		s := driver.NewStream(c.driver)
		for line := range strings.Lines(c.lines) {
			if !s.Line([]byte(line)) {
				t.Fatalf("%s: no JSON: %s", c.name, line)
			}
		}
		status, reason, flags := s.Judge(map[string]string{"exit": c.exit})
		if got := strings.TrimSpace(status + "/" + reason + " " + strings.Join(flags, ",")); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.driver.ID, c.name, got, c.want)
		}
		for _, want := range strings.Fields(c.facts) {
			name, value, _ := strings.Cut(want, "=")
			if got := fact(s, name); got != value {
				t.Errorf("%s, %s: %s is %q, want %q", c.driver.ID, c.name, name, got, value)
			}
		}
	}
	for _, d := range []*harness.Driver{&golden.Codex, &golden.Omp, &golden.Qwen, &golden.Opencode} {
		for own, want := range map[string]string{"killed_by": "killed/kill", "timed_out": "timeout/"} {
			if status, reason, _ := driver.NewStream(d).Judge(map[string]string{"exit": "-9", own: "kill"}); status+"/"+reason != want {
				t.Errorf("%s: %s/%s, want %s", d.ID, status, reason, want)
			}
		}
	}
}

func fact(s *driver.Stream, name string) string {
	u := s.Usage()
	switch name {
	case "in":
		return strconv.FormatInt(u.Input, 10)
	case "read":
		return strconv.FormatInt(u.Read, 10)
	case "out":
		return strconv.FormatInt(u.Output, 10)
	}
	value, _ := s.Fact(name)
	return value
}

package dispatch

import (
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// A host whose stops bring its prompts and tool calls has a loop guard that knows of both where no handler wants them: a prompt
// begins anew, and a tool call is progress.
func TestWhatAStopBrings(t *testing.T) {
	const stop, prompt, tool = `{"session_id":"s"}`, `{"session_id":"s","prompt":"go on"}`, `{"session_id":"s","tool_name":"Bash","tool_input":{}}`
	t.Run("a prompt begins anew", func(t *testing.T) {
		c := newClone(t)
		c.m.MaxContinuations = 1
		c.handler(harness.Stop, never)
		for range 2 {
			reply, bit := c.stop("bringing", stop)
			c.blocked(reply, "run the tests")
			if bit != "false" {
				t.Errorf("the bit is %s", bit)
			}
			none(t, c.run(`{"session_id":"s","prompt":"run the tests"}`, "bringing", "UserPromptSubmit")) // our own words
			reply, bit = c.stop("bringing", stop)
			c.allowedLoudly(reply, "Stop passes")
			if bit != "true" {
				t.Errorf("behind our own continuation the bit is %s", bit)
			}
			none(t, c.run(prompt, "bringing", "UserPromptSubmit"))
		}
	})
	t.Run("a tool call is progress", func(t *testing.T) {
		c := newClone(t)
		c.m.MaxContinuations = 0
		c.handler(harness.Stop, never)
		for range 5 {
			c.silent(c.run(tool, "bringing", "PreToolUse"))
			reply, _ := c.stop("bringing", stop)
			c.blocked(reply, "run the tests")
		}
		c.silent(c.run(tool, "bringing", "PreToolUse"))
		for range 3 {
			reply, _ := c.stop("bringing", stop)
			c.blocked(reply, "run the tests")
		}
		reply, _ := c.stop("bringing", stop)
		c.allowedLoudly(reply, "same reason")
	})
	t.Run("not where nobody wants stops", func(t *testing.T) {
		c := newClone(t)
		c.handler(harness.SessionEnd, "true")
		c.silent(c.run(`not JSON`, "bringing", "UserPromptSubmit"))
		if c.has("state/sessions") {
			t.Error("something is remembered")
		}
	})
	t.Run("and no receipt is left of what nobody heard", func(t *testing.T) {
		c := newClone(t)
		c.handler(harness.Stop, "true")
		c.silent(c.run(prompt, "bringing", "UserPromptSubmit"))
		if c.has("state/last.jsonl") {
			t.Error("a receipt is left")
		}
		c.silent(c.run(stop, "bringing", "Stop"))
		if !c.has("state/last.jsonl") {
			t.Error("that of the stop is not")
		}
	})
	t.Run("switched off with the stops", func(t *testing.T) {
		c := newClone(t)
		t.Setenv("LORIMER_DISABLE", "1")
		c.handler(harness.Stop, never)
		c.silent(c.run(prompt, "bringing", "UserPromptSubmit"))
	})
}

func none(t *testing.T, reply harness.Reply) {
	t.Helper()
	if reply != (harness.Reply{}) {
		t.Errorf("got %+v", reply)
	}
}

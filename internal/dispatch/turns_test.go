package dispatch

import (
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// A host has one event for what Claude Code has two for: which it is hangs on the payload, and so do the handlers.
func TestAnEventOfTheHostThatIsOneOfSeveral(t *testing.T) {
	const fine, failed = `{"session_id":"s","tool_name":"Bash","tool_input":{}}`, `{"session_id":"s","tool_name":"Bash","tool_input":{},"failed":true}`
	after := func(t *testing.T) *clone {
		c := newClone(t).handler(harness.PostToolUse, `echo AFTER "$LORIMER_EVENT" >&2; exit 2`)
		return c.handler(harness.PostToolUseFailure, `echo FAILED "$LORIMER_EVENT" >&2; exit 2`)
	}
	t.Run("each has its own handlers", func(t *testing.T) {
		c := after(t)
		c.blocked(c.run(fine, "bringing", "PostToolUse"), "AFTER PostToolUse")
		c.blocked(c.run(failed, "bringing", "PostToolUse"), "FAILED PostToolUseFailure")
	})
	t.Run("a start that names the other is believed", func(t *testing.T) {
		c := after(t)
		c.blocked(c.run(failed, "bringing", "PostToolUseFailure"), "FAILED PostToolUseFailure")
	})
	t.Run("what is neither is nobody's", func(t *testing.T) {
		c := after(t)
		c.silent(c.run(`{"session_id":"s","status":"unknown"}`, "bringing", "PostToolUse"))
	})
	t.Run("no handler of the one runs for the other", func(t *testing.T) {
		c := newClone(t).handler(harness.PostToolUseFailure, "echo NO >&2; exit 2")
		c.silent(c.run(fine, "bringing", "PostToolUse"))
		c.blocked(c.run(failed, "bringing", "PostToolUse"), "NO")
	})
	t.Run("a receipt names what it was", func(t *testing.T) {
		c := after(t)
		c.run(failed, "bringing", "PostToolUse")
		if got := c.read("state/last.jsonl"); !strings.Contains(got, `"PostToolUseFailure"`) || strings.Contains(got, `"PostToolUse"`) {
			t.Error(got)
		}
	})
	t.Run("a payload that cannot be read is a fault of the event that the entry names", func(t *testing.T) {
		c := after(t)
		c.allowedLoudly(c.run("not JSON", "bringing", "PostToolUse"), "the payload of PostToolUse")
	})
	t.Run("context that was said before the call comes with its failure, also where nobody wants to hear of that", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"ABOUT"}}'`)
		c.run(fine, "bringing", "PreToolUse")
		if reply := c.run(failed, "bringing", "PostToolUse"); !strings.Contains(reply.Stdout, "ABOUT") {
			t.Errorf("got %+v", reply)
		}
	})
}

package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Context that is said before a tool is given behind its result, each call its own, where the host takes none before; also where
// nobody wants to hear of the result.
func TestContextThatIsGivenLater(t *testing.T) {
	const context = `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"%s"}}' "$(sed 's/.*"command":"\([a-z]*\)".*/ABOUT \1/')"`
	payload := func(command string) string {
		return `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"` + command + `"}}`
	}
	said := func(t *testing.T, reply harness.Reply, want string) {
		t.Helper()
		if got := strings.Contains(reply.Stdout, "ABOUT"); got != (want != "") || !strings.Contains(reply.Stdout, want) {
			t.Errorf("got %+v, want %q", reply, want)
		}
	}
	t.Run("each call its own, once", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, context)
		said(t, c.run(payload("first"), "bringing", "PreToolUse"), "")
		said(t, c.run(payload("second"), "bringing", "PreToolUse"), "")
		said(t, c.run(`{"session_id":"other","tool_name":"Bash","tool_input":{"command":"first"}}`, "bringing", "PostToolUse"), "")
		said(t, c.run(`{"session_id":"s", "tool_name":"Bash", "tool_input":{ "command" : "second" }}`, "bringing", "PostToolUse"), "ABOUT second")
		said(t, c.run(payload("first"), "bringing", "PostToolUse"), "ABOUT first")
		said(t, c.run(payload("first"), "bringing", "PostToolUse"), "")
		if left, _ := filepath.Glob(filepath.Join(c.home, "sessions", "s", "context-*")); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
	t.Run("beside what is said of the result", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, context)
		c.handler(harness.PostToolUse, `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"AFTER"}}'`)
		c.run(payload("first"), "bringing", "PreToolUse")
		said(t, c.run(payload("first"), "bringing", "PostToolUse"), `ABOUT first\nAFTER`)
	})
	t.Run("behind the reason of a block", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, context)
		c.handler(harness.PostToolUse, `echo NOT GOOD >&2; exit 2`)
		c.run(payload("first"), "bringing", "PreToolUse")
		c.blocked(c.run(payload("first"), "bringing", "PostToolUse"), "NOT GOOD\nABOUT first")
	})
	t.Run("of a rewritten call under its new input", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"x"},"additionalContext":"ABOUT it"}}'`)
		c.run(payload("first"), "bringing", "PreToolUse")
		said(t, c.run(payload("first"), "bringing", "PostToolUse"), "")
		said(t, c.run(payload("x"), "bringing", "PostToolUse"), "ABOUT it")
	})
	t.Run("lost aloud where nothing can be kept", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, context)
		if err := os.WriteFile(filepath.Join(c.home, "sessions"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		reply := c.run(payload("first"), "bringing", "PreToolUse")
		if !strings.Contains(reply.Stderr, "context for the model on PreToolUse is lost") {
			t.Errorf("got %+v", reply)
		}
	})
}

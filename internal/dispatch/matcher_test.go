package dispatch

import (
	"fmt"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Hooks may call the tool for sub-agents by either name.
func TestAlias(t *testing.T) {
	for tool, want := range map[string]string{"Task": "[Task Agent]", "Agent": "[Agent Task]", "Bash": "[Bash]"} {
		if got := fmt.Sprint(withAlias(tool)); got != want {
			t.Errorf("%s: %s, want %s", tool, got, want)
		}
	}
}

// What matchers are tested against on each event; an event without such a key takes every handler.
func TestMatchedKeys(t *testing.T) {
	for event, key := range map[harness.Event]string{
		harness.PreToolUse: "tool_name", harness.PostToolUse: "tool_name", harness.PostToolUseFailure: "tool_name", harness.PermissionRequest: "tool_name",
		harness.SessionStart: "source", harness.SessionEnd: "reason", harness.SubagentStart: "agent_type", harness.SubagentStop: "agent_type",
		harness.PreCompact: "trigger", harness.PostCompact: "trigger", harness.Notification: "notification_type", harness.StopFailure: "error",
		harness.Stop: "", harness.UserPromptSubmit: "",
	} {
		for value, want := range map[string]bool{"wanted": true, "other": key == ""} {
			c := newClone(t).handler(event, `touch ran`, matcher("wanted"))
			c.silent(c.run(fmt.Sprintf(`{"x":"wanted","%s":"%s","stop_hook_active":false}`, key, value), "native", string(event)))
			if c.has("ran") != want {
				t.Errorf("%s with %s=%s: ran %v", event, key, value, c.has("ran"))
			}
		}
	}
}

// A notification's kind is where this host, or that one, says it.
func TestMatchedNotification(t *testing.T) {
	for payload, want := range map[string]bool{`{"type":"wanted"}`: true, `{"type":"other"}`: false, `{"notification_type":"other","type":"wanted"}`: false} {
		c := newClone(t).handler(harness.Notification, `touch ran`, matcher("wanted"))
		c.silent(c.run(payload, "native", "Notification"))
		if c.has("ran") != want {
			t.Errorf("%s: ran %v", payload, c.has("ran"))
		}
	}
}

// A matcher that cannot be tested is a fault of that handler, and the others run.
func TestBadMatcher(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `touch ran`, matcher("(?i)bash")).handler(harness.PreToolUse, `touch other`)
	c.allowedLoudly(c.run(bash, "native", "PreToolUse"), "h0", "(?i)bash", "no regular expression")
	if c.has("ran") || !c.has("other") {
		t.Error("the wrong handlers ran")
	}
	strict := newClone(t).handler(harness.PreToolUse, `touch ran`, matcher("(?i)bash"), onErrorBlock)
	strict.blocked(strict.run(bash, "native", "PreToolUse"), "h0", "(?i)bash")
}

package dispatch

import (
	"fmt"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Claude's rule, as measured on it: names match exactly, everything else is an expression.
func TestMatches(t *testing.T) {
	for _, c := range []struct {
		matcher string
		tool    string
		want    bool
	}{
		{"", "Bash", true}, {"*", "Bash", true}, {"Bash", "Bash", true},
		{"bash", "Bash", false}, {"B", "Bash", false}, {"Bas", "Bash", false}, {"Bashes", "Bash", false},
		{"Bash|Read", "Read", true}, {"Bash|Read", "Write", false}, {"Bash, Read", "Read", true}, {"Bash,Read", "Bash", true},
		{" Bash | Read ", "Bash", true}, {"Bash|", "Bash", true}, {"|", "Bash", false}, {"Bash|", "", true},
		{"mcp__memory", "mcp__memory__write", false}, {"mcp__a-b__c", "mcp__a-b__c", true}, {"mcp__a-b", "mcp__a-b__c", false},
		{"^Bash$", "Bash", true}, {"Ba.*", "Bash", true}, {"as.", "Bash", true}, {"^as", "Bash", false}, {"ba.*", "Bash", false},
		{"(?i)ba.*", "Bash", true}, {"mcp__.*", "mcp__memory__write", true}, {"mcp__memory__.*", "mcp__other__x", false},
		{"Edit|Wri.*", "Write", true}, {"Bash(echo *)", "Bash", false},
		{"Task", "Agent", true}, {"Agent", "Task", true}, {"Task", "Task", true}, {"^Ag.*t$", "Task", true}, {"Read", "Task", false},
		{"Bash", "", true}, // a call that has no name cannot be told apart
	} {
		got, err := matches(c.matcher, withAlias(c.tool))
		if got != c.want || err != nil {
			t.Errorf("%q on %q: got %v, %v", c.matcher, c.tool, got, err)
		}
	}
	if _, err := matches("^(?!Bash)", []string{"Read"}); err == nil {
		t.Error("an expression that Go has not was taken")
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
	c := newClone(t).handler(harness.PreToolUse, `touch ran`, matcher("^(?!Read)")).handler(harness.PreToolUse, `touch other`)
	c.allowedLoudly(c.run(bash, "native", "PreToolUse"), "h0", "^(?!Read)", "no regular expression")
	if c.has("ran") || !c.has("other") {
		t.Error("the wrong handlers ran")
	}
	strict := newClone(t).handler(harness.PreToolUse, `touch ran`, matcher("^(?!Read)"), onErrorBlock)
	strict.blocked(strict.run(bash, "native", "PreToolUse"), "h0", "^(?!Read)")
}

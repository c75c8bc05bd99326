package dispatch

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// matches applies Claude's rule: "" and "*" match all; names separated by | or , match exactly; anything else is a regular
// expression, case-sensitive and not anchored. subjects are the names that the event goes by; an event that has none cannot
// be told apart by a matcher, and is matched. The error is that of an expression that does not compile.
func matches(matcher string, subjects []string) (bool, error) {
	if matcher == "" || matcher == "*" || len(subjects) == 0 {
		return true, nil
	}
	if isNames(matcher) {
		return slices.ContainsFunc(strings.FieldsFunc(matcher, isSeparator), func(name string) bool {
			return slices.Contains(subjects, strings.TrimSpace(name))
		}), nil
	}
	re, err := regexp.Compile(matcher)
	if err != nil {
		return false, fmt.Errorf("its matcher %q is no regular expression: %w", matcher, err)
	}
	return slices.ContainsFunc(subjects, re.MatchString), nil
}

func isSeparator(r rune) bool { return r == '|' || r == ',' }

// isNames: Claude takes a matcher of these characters alone for names, and everything else for an expression.
func isNames(matcher string) bool {
	for i := 0; i < len(matcher); i++ {
		c := matcher[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && !strings.ContainsRune("_|, -", rune(c)) {
			return false
		}
	}
	return true
}

// subjects returns what matchers of this event are tested against, as Claude has it.
func (c *call) subjects() []string {
	if c.event.Tool() {
		return withAlias(c.text("tool_name"))
	}
	for _, key := range matchedKeys(c.event) {
		if s := c.text(key); s != "" {
			return []string{s}
		}
	}
	return nil
}

func matchedKeys(event harness.Event) []string {
	switch event {
	case harness.SessionStart:
		return []string{"source"}
	case harness.SessionEnd:
		return []string{"reason"}
	case harness.SubagentStart, harness.SubagentStop:
		return []string{"agent_type"}
	case harness.PreCompact, harness.PostCompact:
		return []string{"trigger"}
	case harness.Notification:
		return []string{"notification_type", "type"}
	case harness.StopFailure:
		return []string{"error"}
	}
	return nil
}

// withAlias: Claude renamed this tool, and hooks name it either way.
func withAlias(tool string) []string {
	switch tool {
	case "":
		return nil
	case "Task":
		return []string{"Task", "Agent"}
	case "Agent":
		return []string{"Agent", "Task"}
	}
	return []string{tool}
}

// text returns a top-level string of the payload, or "".
func (c *call) text(key string) string { return rawjson.String(c.fields[key]) }

package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// answer is the one JSON object that a handler printed.
type answer struct {
	top      rawjson.Object
	specific rawjson.Object // hookSpecificOutput
	decided  rawjson.Object // hookSpecificOutput.decision, of PermissionRequest
	fault    string
}

// answerIn takes stdout for an answer when it is one JSON object and nothing else.
func answerIn(stdout string) (answer, bool) {
	s := trim(stdout)
	if !strings.HasPrefix(s, "{") {
		return answer{}, false
	}
	if rawjson.Deep(s) {
		return answer{fault: fmt.Sprintf("its answer is nested deeper than %d levels", rawjson.MaxDepth)}, true
	}
	top, ok := rawjson.ParseObject(s)
	if !ok {
		return answer{}, false
	}
	a := answer{top: top}
	a.specific, _ = rawjson.Members(top["hookSpecificOutput"])
	a.decided, _ = rawjson.Members(a.specific["decision"])
	return a, true
}

func (a answer) text(key string) string { return rawjson.String(a.top[key]) }

func (a answer) context() string { return rawjson.String(a.specific["additionalContext"]) }

func (a answer) permission() string { return rawjson.String(a.specific["permissionDecision"]) }

func (a answer) behavior() string { return rawjson.String(a.decided["behavior"]) }

func (a answer) blocks() bool {
	return a.text("decision") == "block" || a.permission() == "deny" || a.behavior() == "deny"
}

// allows: in Claude's older words it is decision:approve. What is allowed with another input only must not run with its own.
func (a answer) allows(event harness.Event) bool {
	if event == harness.PermissionRequest {
		return a.behavior() == "allow" && rawjson.Absent(a.decided["updatedInput"])
	}
	return event == harness.PreToolUse && (a.permission() == "allow" || a.permission() == "" && a.text("decision") == "approve")
}

// ownReason is the first reason that the answer gives, or the fallback. A reason stands beside the decision it is for.
func (a answer) ownReason(fallback string) string {
	reasons := []string{a.specific["permissionDecisionReason"], a.decided["message"], a.top["reason"], a.top["stopReason"]}
	if a.text("decision") == "block" {
		reasons = slices.Insert(reasons, 0, a.top["reason"])
	}
	for _, raw := range reasons {
		if s := rawjson.String(raw); s != "" {
			return s
		}
	}
	return fallback
}

// faultIn says what makes the answer meaningless, or "". Claude runs on after such an answer, and says so nowhere; here it is
// a fault like a crash, with the handler's own policy. null counts as "not given": Python handlers write it for None.
func (a answer) faultIn(event harness.Event) string {
	if a.fault != "" {
		return a.fault
	}
	for _, rule := range []struct {
		where string
		raw   string
		kind  string
		words []string // allowed texts; nil = any
	}{
		{"decision", a.top["decision"], "text", []string{"block", "approve"}},
		{"reason", a.top["reason"], "text", nil},
		{"continue", a.top["continue"], "true or false", nil},
		{"stopReason", a.top["stopReason"], "text", nil},
		{"systemMessage", a.top["systemMessage"], "text", nil},
		{"suppressOutput", a.top["suppressOutput"], "true or false", nil},
		{"hookSpecificOutput", a.top["hookSpecificOutput"], "an object", nil},
		{"hookSpecificOutput.hookEventName", a.specific["hookEventName"], "text", []string{string(event)}},
		{"hookSpecificOutput.permissionDecision", a.specific["permissionDecision"], "text", []string{"allow", "deny", "ask", "defer"}},
		{"hookSpecificOutput.permissionDecisionReason", a.specific["permissionDecisionReason"], "text", nil},
		{"hookSpecificOutput.additionalContext", a.specific["additionalContext"], "text", nil},
		{"hookSpecificOutput.updatedInput", a.specific["updatedInput"], "an object", nil},
		{"hookSpecificOutput.decision", a.specific["decision"], "an object", nil},
		{"hookSpecificOutput.decision.behavior", a.decided["behavior"], "text", []string{"allow", "deny"}},
		{"hookSpecificOutput.decision.message", a.decided["message"], "text", nil},
	} {
		if rawjson.Absent(rule.raw) {
			continue
		}
		if kindOf(rule.raw) != rule.kind {
			return fmt.Sprintf("its answer has %s %.60s; expected %s", rule.where, rule.raw, rule.kind)
		}
		if rule.words != nil && !slices.Contains(rule.words, rawjson.String(rule.raw)) {
			return fmt.Sprintf("its answer has %s %.60s; expected %s", rule.where, rule.raw, strings.Join(rule.words, ", "))
		}
	}
	return ""
}

func kindOf(raw string) string {
	switch raw[0] {
	case '"':
		return "text"
	case '{':
		return "an object"
	case 't', 'f':
		return "true or false"
	}
	return "another"
}

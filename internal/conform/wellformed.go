package conform

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// order is the contract's order of the keys; all others stand where "" does.
var order = []string{
	"session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "agent_id", "", "tool_name", "tool_use_id", "tool_input", "tool_response",
}

// wellFormed holds a payload against the contract.
func (w *world) wellFormed(e harness.Event, c Call) error {
	if !gjson.ValidBytes(c.Payload) {
		return fmt.Errorf("the payload is no JSON: %s", shown(string(c.Payload)))
	}
	if w.native() {
		return first(w.asSent(c), w.members(e, c))
	}
	return first(inOrder(c), w.members(e, c))
}

// native says whether the host speaks the protocol itself, so that its bytes are passed on.
func (w *world) native() bool { return w.row.Hooks != nil && w.row.Hooks.Native }

func (w *world) asSent(c Call) error {
	if sent := w.stage.(*command).last; w.row.Normalize == nil && !bytes.Equal(sent, c.Payload) {
		return fmt.Errorf("the host sent %s, and the handler got %s", shown(string(sent)), shown(string(c.Payload)))
	}
	return nil
}

func inOrder(c Call) (fault error) {
	last := 0
	gjson.ParseBytes(c.Payload).ForEach(func(key, _ gjson.Result) bool {
		at := slices.Index(order, key.Str)
		if at < 0 {
			at = slices.Index(order, "")
		}
		if at < last {
			fault = fmt.Errorf("%s stands behind %s: %s", key.Str, order[last], shown(string(c.Payload)))
		}
		last = max(last, at)
		return fault == nil
	})
	if fault == nil && bytes.HasSuffix(c.Payload, []byte("\n")) {
		fault = fmt.Errorf("the payload ends with a newline")
	}
	return fault
}

// members are the keys that a handler may rely on.
func (w *world) members(e harness.Event, c Call) error {
	want := map[string]string{"session_id": "s1", "hook_event_name": string(e), "cwd": w.clone}
	switch e {
	case harness.UserPromptSubmit:
		want["prompt"] = said
	case harness.SessionStart:
		want["source"] = "startup"
	case harness.Stop:
		want["stop_hook_active"] = "false"
	case harness.SubagentStart, harness.SubagentStop:
		want["agent_id"] = "c1"
	}
	for key, value := range want {
		if got := c.get(key); got != value {
			return fmt.Errorf("%s is %s, not %s", key, shown(got), shown(value))
		}
	}
	return first(someValue(e, c), noAgent(e, c), env(w, e, c))
}

// someValue: these keys have to be there, whatever the host says.
func someValue(e harness.Event, c Call) error {
	need := map[harness.Event][]string{
		harness.PreCompact: {"trigger"}, harness.SessionEnd: {"reason"}, harness.Notification: {"message"}, harness.SubagentStop: {"stop_hook_active"},
		harness.PreToolUse: {"tool_name", "tool_input"}, harness.PostToolUse: {"tool_name", "tool_input", "tool_response"},
		harness.PermissionRequest: {"tool_name", "tool_input"}, harness.PostToolUseFailure: {"tool_name", "tool_input"},
	}
	for _, key := range need[e] {
		if !c.has(key) {
			return fmt.Errorf("there is no %s in %s", key, shown(string(c.Payload)))
		}
	}
	return nil
}

// noAgent: agent_id is the mark of sub-agents, and of nobody else.
func noAgent(e harness.Event, c Call) error {
	if sub := e == harness.SubagentStart || e == harness.SubagentStop; !sub && c.has("agent_id") {
		return fmt.Errorf("agent_id is there, in the main session: %s", shown(c.get("agent_id")))
	}
	return nil
}

// env holds what a handler finds in its environment.
func env(w *world, e harness.Event, c Call) error {
	b, _ := w.row.Binding(e)
	var can []string
	for _, x := range b.Can {
		can = append(can, string(x))
	}
	for name, want := range map[string]string{
		"LORIMER_HARNESS": w.ID, "LORIMER_EVENT": string(e), "CLAUDE_PROJECT_DIR": w.clone, "LORIMER_CAN": strings.Join(can, ","), "LORIMER_RENDEZVOUS": "",
	} {
		if got := c.Env[name]; got != want {
			return fmt.Errorf("%s is %q in the handler's environment, not %q", name, got, want)
		}
	}
	return nil
}

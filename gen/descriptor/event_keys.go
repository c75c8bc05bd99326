package descriptor

import "github.com/lorimer-dev/lorimer/internal/harness"

// BaseKeys are the payload's keys that every event may have and that a host can be asked for, in contract order.
// hook_event_name is ours; where the host's is can be said all the same, see Named.
var BaseKeys = []string{"session_id", "transcript_path", "cwd", "permission_mode", "agent_id", "agent_type", "prompt_id", "model"}

// Named is the base key that no payload of ours takes from the host: it says where the host's payload names its event.
const Named = "hook_event_name"

// EventKeys are the payload's keys of each event, in contract order; those of the tool call come after them.
var EventKeys = map[harness.Event][]string{
	harness.SessionStart:       {"source"},
	harness.UserPromptSubmit:   {"prompt"},
	harness.PermissionRequest:  {"permission_suggestions"},
	harness.PostToolUse:        {"duration_ms"},
	harness.PostToolUseFailure: {"error", "is_interrupt", "duration_ms"},
	harness.SubagentStart:      {},
	harness.Stop:               {"stop_hook_active", "last_assistant_message"},
	harness.SubagentStop:       {"stop_hook_active", "agent_transcript_path", "last_assistant_message"},
	harness.StopFailure:        {"error", "last_assistant_message"},
	harness.PreCompact:         {"trigger", "custom_instructions"},
	harness.PostCompact:        {"trigger", "compact_summary"},
	harness.Notification:       {"message", "title", "notification_type"},
	harness.SessionEnd:         {"reason"},
}

// fieldsOf are the keys that a row of the event may fill.
func fieldsOf(event harness.Event) []string {
	return append(append([]string{}, EventKeys[event]...), "agent_type", "prompt_id", "model")
}

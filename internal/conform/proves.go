package conform

import (
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// proves says what a case that holds on the installed program shows of it: events that it fires, as "Event", and what an answer
// does, as "Event effect".
var proves = map[string][]string{
	"real: a session is dispatched from its start to its end": {"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"},
	"real: context at the start reaches the model":            {"SessionStart", "SessionStart context"},
	"real: context at a prompt reaches the model":             {"UserPromptSubmit", "UserPromptSubmit context"},
	"real: a blocked prompt is not asked":                     {"UserPromptSubmit", "UserPromptSubmit block"},
	"real: a tool that is allowed runs":                       {"PreToolUse", "PostToolUse"},
	"real: a blocked tool does not run":                       {"PreToolUse", "PreToolUse block"},
	"real: a write arrives with its file_path":                {"PreToolUse"},
	"real: a rewritten command is what runs":                  {"PreToolUse", "PreToolUse rewrite_input"},
	"real: context before a tool reaches the model":           {"PreToolUse", "PreToolUse context"},
	"real: context after a tool reaches the model":            {"PostToolUse", "PostToolUse context"},
	"real: a note after a tool reaches the model":             {"PostToolUse", "PostToolUse block"},
	"real: a blocked stop goes on with its reason":            {"Stop", "Stop block"},
	"real: a loop that never passes ends at the cap":          {"Stop", "Stop block"},
	"real: the gate holds in a forked session":                {"Stop", "Stop block"},
}

// shows is what a case that held shows of a harness; what the harness has not is not shown.
func shows(h *harness.Harness, name string) (cells []string) {
	for _, cell := range proves[name] {
		event, _, _ := strings.Cut(cell, " ")
		if _, has := h.Binding(harness.Event(event)); has {
			cells = append(cells, cell)
		}
	}
	return cells
}

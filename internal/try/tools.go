package try

import "github.com/lorimer-dev/lorimer/internal/harness"

// shape says which fields the words behind a tool's or an event's name fill.
type shape struct {
	words  []string // by position
	rest   bool     // the last of them takes all words that are left
	more   []string // fields that are filled by name alone
	preset string   // of the first field, when there is no word
}

// tools are Claude Code's, with the fields of their input. A tool that is not here takes fields by name.
var tools = map[string]shape{
	"Bash":         {words: []string{"command"}, rest: true, more: []string{"description", "timeout", "run_in_background"}},
	"Read":         {words: []string{"file_path"}, more: []string{"offset", "limit"}},
	"Write":        {words: []string{"file_path", "content"}, rest: true},
	"Edit":         {words: []string{"file_path", "old_string", "new_string"}, more: []string{"replace_all"}},
	"NotebookEdit": {words: []string{"notebook_path", "new_source"}, more: []string{"cell_id", "cell_type", "edit_mode"}},
	"Grep":         {words: []string{"pattern", "path"}, more: []string{"glob", "type", "output_mode"}},
	"Glob":         {words: []string{"pattern", "path"}},
	"LS":           {words: []string{"path"}},
	"WebFetch":     {words: []string{"url", "prompt"}, rest: true},
	"WebSearch":    {words: []string{"query"}, rest: true},
	"Task":         {words: []string{"prompt"}, rest: true, more: []string{"description", "subagent_type"}},
	"Agent":        {words: []string{"prompt"}, rest: true, more: []string{"description", "subagent_type"}},
}

// events are those that are no tool call, with the fields of their payload.
var events = map[harness.Event]shape{
	harness.SessionStart:     {words: []string{"source"}, preset: "startup"},
	harness.SessionEnd:       {words: []string{"reason"}, preset: "other"},
	harness.UserPromptSubmit: {words: []string{"prompt"}, rest: true},
	harness.Stop:             {words: []string{"last_assistant_message"}, rest: true, more: []string{"stop_hook_active"}},
	harness.StopFailure:      {words: []string{"error"}, rest: true},
	harness.SubagentStart:    {words: []string{"agent_type"}, more: []string{"agent_id"}, preset: "general-purpose"},
	harness.SubagentStop:     {words: []string{"last_assistant_message"}, rest: true, more: []string{"agent_id", "agent_type", "stop_hook_active"}},
	harness.PreCompact:       {words: []string{"trigger"}, more: []string{"custom_instructions"}, preset: "manual"},
	harness.PostCompact:      {words: []string{"trigger"}, preset: "manual"},
	harness.Notification:     {words: []string{"message"}, rest: true, more: []string{"notification_type", "title"}},
}

// paths are fields that hold a file's absolute path in Claude Code.
var paths = []string{"file_path", "notebook_path"}

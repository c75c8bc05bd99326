package harness

import "slices"

// Event is a neutral event, named as Claude Code names it.
type Event string

const (
	SessionStart       Event = "SessionStart"
	SessionEnd         Event = "SessionEnd"
	UserPromptSubmit   Event = "UserPromptSubmit"
	PreToolUse         Event = "PreToolUse"
	PostToolUse        Event = "PostToolUse"
	PostToolUseFailure Event = "PostToolUseFailure"
	PermissionRequest  Event = "PermissionRequest"
	Stop               Event = "Stop"
	StopFailure        Event = "StopFailure"
	SubagentStart      Event = "SubagentStart"
	SubagentStop       Event = "SubagentStop"
	PreCompact         Event = "PreCompact"
	PostCompact        Event = "PostCompact"
	Notification       Event = "Notification"
)

// Events is the closed list, in the order of a session.
var Events = []Event{
	SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure,
	SubagentStart, SubagentStop, Notification, PreCompact, PostCompact, Stop, StopFailure, SessionEnd,
}

// Known says whether e is in the closed list.
func (e Event) Known() bool { return slices.Contains(Events, e) }

// Tool says whether the event carries a tool call, and so a tool name that a matcher is tested against.
func (e Event) Tool() bool {
	switch e {
	case PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest:
		return true
	}
	return false
}

// MatchedBy returns the payload's keys of which the first that is there is held against matchers. Nothing: matchers have no effect.
func (e Event) MatchedBy() []string {
	switch e {
	case PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest:
		return []string{"tool_name"}
	case SessionStart:
		return []string{"source"}
	case SessionEnd:
		return []string{"reason"}
	case SubagentStart, SubagentStop:
		return []string{"agent_type"}
	case PreCompact, PostCompact:
		return []string{"trigger"}
	case Notification:
		return []string{"notification_type", "type"}
	case StopFailure:
		return []string{"error"}
	}
	return nil
}

// Gate says whether a block of the event makes the agent go on instead of ending: a loop that needs a termination bit.
func (e Event) Gate() bool { return e == Stop || e == SubagentStop }

// Usual says whether every session in which an agent works has the event: one that never comes is then a hook that does not
// fire. The others may rightly stay away, and a session that is ended from outside has no end.
func (e Event) Usual() bool {
	switch e {
	case SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, Stop:
		return true
	}
	return false
}

// Effect is something that a hook's answer can do to the host.
type Effect string

const (
	Block         Effect = "block"          // stop the tool, drop the prompt, continue the run
	Ask           Effect = "ask"            // let the user decide
	Allow         Effect = "allow"          // skip the host's own permission check
	Context       Effect = "context"        // add text that the model reads
	RewriteInput  Effect = "rewrite_input"  // replace the call's input
	RewriteOutput Effect = "rewrite_output" // replace the tool's result
	Continue      Effect = "continue"       // re-enter the run with a text
	StopAgent     Effect = "stop_agent"     // end the run
	Notify        Effect = "notify"         // show the user a line
	Env           Effect = "env"            // give the agent's later commands variables
)

// Effects is the closed list.
var Effects = []Effect{Block, Ask, Allow, Context, RewriteInput, RewriteOutput, Continue, StopAgent, Notify, Env}

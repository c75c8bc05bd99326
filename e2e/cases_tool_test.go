//go:build linux

package e2e

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// toolCases are about tool calls: which run, and what handlers see of them.
var toolCases = []testCase{
	{
		name:    "a blocked tool does not run",
		ending:  true,
		answers: map[string]string{"PreToolUse": "block " + quoted(reason)},
		script:  removes,
		checks: append(always(requests(2)),
			dispatched("PreToolUse", 1),
			field("PreToolUse", 0, is("Bash"), "tool_name"),
			field("PreToolUse", 0, is("rmdir hooks/victim"), "tool_input", "command"),
			field("PreToolUse", 0, callID, "tool_use_id"),
			there("hooks/victim"),
			result(0, func(o *outcome) string { return blockedTool(o.Host, "Bash", reason) }),
			dispatched("PostToolUse", 0),
		),
	},
	{
		name: "a tool that is not blocked runs, and its response is seen",
		script: told(func(o *outcome) fakemodel.Script {
			return fakemodel.Steps(shell(o, "rmdir hooks/victim && echo 'RESPONSE — 🐎'"), fakemodel.Say("done"))
		}),
		checks: append(always(requests(2), gone("hooks/victim")),
			dispatched("PreToolUse", 1),
			dispatched("PostToolUse", 1),
			field("PostToolUse", 0, callID, "tool_use_id"),
			response("RESPONSE — 🐎"),
		),
	},
	{
		name:    "a note after a tool reaches the model",
		answers: map[string]string{"PostToolUse": "block " + quoted(reason)},
		script:  echoes,
		checks:  append(always(requests(2)), dispatched("PostToolUse", 1), readsNote(2, reason)),
	},
	{
		name:   "a write arrives as file_path",
		writes: true,
		script: writes,
		checks: append(always(there("written — 🐎.txt")),
			field("PreToolUse", 0, is("Write"), "tool_name"),
			field("PreToolUse", 0, written, "tool_input", "file_path"),
			field("PreToolUse", 0, is("text — 🐎\n"), "tool_input", "content"),
			field("PostToolUse", 0, written, "tool_input", "file_path"),
			absent("PreToolUse", "tool_input", "path"),
		),
	},
	{
		name:    "a handler that ends the run ends it, or at least holds the tool back aloud",
		ending:  true,
		answers: map[string]string{"PreToolUse": `printf '{"continue":false,"stopReason":"ENOUGH"}\n'`},
		script:  removes,
		loud:    []string{"lorimer: pretooluse asked for continue:false"},
		checks: []check{dispatched("PreToolUse", 1), there("hooks/victim"), {what: "the end of the run", test: func(o *outcome) error {
			if can(o.Host, "PreToolUse", "stop_agent") {
				return requests(1).test(o)
			}
			return result(0, is(blockedTool(o.Host, "Bash", "ENOUGH"))).test(o)
		}}},
	},
}

// shell is a call of the host's shell tool.
func shell(o *outcome, line string) fakemodel.Step {
	return fakemodel.Use(o.Host.Shell, map[string]any{cmp.Or(o.Host.ShellKey, "command"): line})
}

// written is the path that the model writes to.
func written(o *outcome) string { return filepath.Join(o.Clone, "written — 🐎.txt") }

// response holds when the response that PostToolUse carries has the text in it.
func response(text string) check {
	return check{what: "the response is in PostToolUse", test: func(o *outcome) error {
		calls := o.Calls("PostToolUse")
		if len(calls) != 1 || !strings.Contains(calls[0].Get("tool_response"), text) {
			return fmt.Errorf("%v", calls)
		}
		return nil
	}}
}

// absent holds when the first payload of the event has nothing at the keys.
func absent(event string, keys ...string) check {
	return check{what: strings.Join(keys, ".") + " is not in " + event, test: func(o *outcome) error {
		calls := o.Calls(event)
		if len(calls) == 0 {
			return fmt.Errorf("no payload: %v", labels(o))
		}
		return same(calls[0].Get(keys...), "")
	}}
}

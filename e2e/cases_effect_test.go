//go:build linux

package e2e

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// effectCases are about what a handler can do to a tool call beside blocking it.
var effectCases = []testCase{
	{
		name:    "context given before a tool follows its result, each call its own",
		answers: map[string]string{"PreToolUse": `grep -q first "$payload" && hook '{"additionalContext":"ABOUT first"}'; hook '{"additionalContext":"ABOUT second"}'`},
		script: told(func(o *outcome) fakemodel.Script {
			// Qwen Code loses what a command wrote when another one ends just then: it takes the end before the output.
			both := append(shell(o, "echo first; sleep 0.3").Calls, shell(o, "echo second; sleep 0.6").Calls...)
			return fakemodel.Steps(fakemodel.Step{Calls: both}, fakemodel.Say("done"))
		}),
		checks: append(always(requests(2)),
			dispatched("PreToolUse", 2),
			reads(2, "ABOUT first"), reads(2, "ABOUT second"),
			beside(2, "PreToolUse", []string{"first", "second"}, []string{"ABOUT first", "ABOUT second"}),
		),
		event: harness.PreToolUse, effect: harness.Context,
		otherwise: append(always(requests(2)), dispatched("PreToolUse", 2), aloud(2, "additionalContext")),
	},
	{
		name:    "a rewritten command is what runs",
		answers: map[string]string{"PreToolUse": `hook '{"updatedInput":{"command":"rmdir hooks/victim; echo REWRITTEN"},"additionalContext":"CHANGED"}'`},
		script:  echoes,
		checks: append(always(requests(2)),
			gone("hooks/victim"),
			field("PreToolUse", 0, is("echo ran"), "tool_input", "command"),
			field("PostToolUse", 0, is("rmdir hooks/victim; echo REWRITTEN"), "tool_input", "command"),
			beside(2, "PreToolUse", []string{"REWRITTEN"}, []string{"CHANGED"}),
		),
		event: harness.PreToolUse, effect: harness.RewriteInput,
		otherwise: append(always(requests(2), there("hooks/victim")), dispatched("PreToolUse", 1), dispatched("PostToolUse", 0),
			result(0, is("Rerun that as: rmdir hooks/victim; echo REWRITTEN\nCHANGED"))),
	},
	{
		name:   "a rewritten path is written in the host's own words",
		writes: true,
		answers: map[string]string{
			"PreToolUse": `hook "{\"updatedInput\":{\"file_path\":\"$PWD/elsewhere.txt\",\"content\":\"text\"}}"`,
		},
		script: writes,
		checks: append(always(requests(2)), there("elsewhere.txt"), gone("written — 🐎.txt")),
		event:  harness.PreToolUse, effect: harness.RewriteInput,
		otherwise: append(always(requests(2), there("written — 🐎.txt"), gone("elsewhere.txt")), dispatched("PostToolUse", 1), aloud(1, "updatedInput")),
	},
	{
		name:    "a replaced result is what the model reads",
		answers: map[string]string{"PostToolUse": `hook '{"updatedToolOutput":{"stdout":"REDACTED — 🐎","stderr":"","interrupted":false,"isImage":false}}'`},
		script:  echoes,
		checks: append(always(requests(2)), dispatched("PostToolUse", 1), response("ran"),
			result(0, is("REDACTED — 🐎"))),
	},
	{
		name:    "context given after a tool follows its result",
		answers: map[string]string{"PostToolUse": `hook '{"additionalContext":"SEEN — 🐎"}'`},
		script:  echoes,
		checks: append(always(requests(2)), dispatched("PostToolUse", 1), reads(2, "SEEN — 🐎"),
			beside(2, "PostToolUse", []string{"ran"}, []string{"SEEN — 🐎"})),
	},
}

// aloud holds when Lorimer's log says, for each of n calls, that the handler's wish is not carried out.
func aloud(n int, effect string) check {
	return check{what: fmt.Sprintf("%d lines say that %s is not carried out", n, effect), test: func(o *outcome) error {
		if got := strings.Count(o.StateLog(), "asked for "+effect+" on "); got != n {
			return fmt.Errorf("%d lines of:\n%s", got, o.StateLog())
		}
		return nil
	}}
}

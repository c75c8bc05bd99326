package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

func TestUpdatedInput(t *testing.T) {
	can, cannot := on(harness.PreToolUse, harness.RewriteInput), on(harness.PreToolUse)
	lost := Outcome{NotCarried: []string{"updatedInput"}}
	for _, c := range []struct {
		name         string
		binding      harness.Binding
		tool, before string
		specific     string
		want         Outcome
	}{
		{"replaces the input", can, "Bash", `{"command":"ls"}`, `"updatedInput":{"command":"ls -l"}`, Outcome{Input: `{"command":"ls -l"}`}},
		{"values keep their bytes", can, "X", `{}`, "\"updatedInput\": {\n \"n\": 12345678901234567890, \"f\": 1e400,\n \"s\": \"\\ud83d \\/ <\" }",
			Outcome{Input: `{"n":12345678901234567890,"f":1e400,"s":"\ud83d \/ <"}`}},
		{"with context", can, "Bash", `{"command":"ls"}`, `"updatedInput":{"command":"id"},"additionalContext":"c"`, Outcome{Input: `{"command":"id"}`, Context: "c"}},
		{"null is not given", can, "Bash", `{"command":"ls"}`, `"updatedInput":null`, Outcome{}},
		{"a deny is a deny", can, "Bash", `{"command":"ls"}`, `"permissionDecision":"deny","updatedInput":{"command":"id"}`,
			Outcome{Blocked: true, Reason: "blocked by h, which gave no reason"}},

		{"a command where the host cannot", cannot, "Bash", `{"command":"ls","timeout":5}`, `"updatedInput":{"timeout": 5,"command":"ls -l"}`,
			Outcome{Blocked: true, Instead: true, Reason: "Rerun that as: ls -l"}},
		{"a command alone", cannot, "Bash", `{"command":"ls","timeout":5}`, `"updatedInput":{"command":"ls -l"}`, Outcome{Blocked: true, Instead: true, Reason: "Rerun that as: ls -l"}},
		{"a question about a command that cannot be", cannot, "Bash", `{"command":"ls"}`, `"permissionDecision":"ask","updatedInput":{"command":"id"}`,
			Outcome{Asked: true, Reason: "blocked, because h wants the user to decide and the user cannot be asked here"}},
		{"a question about a new input", on(harness.PreToolUse, harness.RewriteInput, harness.Ask), "Bash", `{"command":"ls"}`,
			`"permissionDecision":"ask","updatedInput":{"command":"id"}`, Outcome{Asked: true, Reason: "h wants you to decide", Input: `{"command":"id"}`}},
		{"more than the command", cannot, "Bash", `{"command":"ls","timeout":5}`, `"updatedInput":{"command":"ls","timeout":6}`, lost},
		{"no command", cannot, "Bash", `{"command":"ls"}`, `"updatedInput":{}`,
			Outcome{Blocked: true, Reason: "the updatedInput of h has no command, without which Bash cannot run; nothing was run"}},
		{"no content", can, "Write", `{"file_path":"a","content":"x"}`, `"updatedInput":{"file_path":"b","content":null}`,
			Outcome{Blocked: true, Reason: "the updatedInput of h has no content, without which Write cannot run; nothing was run"}},
		{"a key that the call had not either", can, "Edit", `{"file_path":"a","edits":[]}`, `"updatedInput":{"file_path":"b"}`, Outcome{Input: `{"file_path":"b"}`}},
		{"another tool", cannot, "Mine", `{"command":"ls"}`, `"updatedInput":{"command":"id"}`, lost},
		{"a command where nothing can be blocked", harness.Binding{Event: harness.PreToolUse}, "Bash", `{"command":"ls"}`, `"updatedInput":{"command":"id"}`, lost},
		{"after the tool", on(harness.PostToolUse, harness.RewriteInput), "Bash", `{"command":"ls"}`, `"updatedInput":{"command":"id"}`, lost},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Of(c.binding, Result{Handler: "h", Stdout: `{"hookSpecificOutput":{` + c.specific + `}}`, Tool: c.tool, Input: c.before})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

package conform

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// effectCases: the rest of what a handler may ask for.
func effectCases(*subject) []kase {
	pre, post := harness.PreToolUse, harness.PostToolUse
	all := []kase{
		{
			name: "rewrite: another command is what runs", expected: "the host's input has the new command",
			needs: all(events(pre), call("Bash")), claims: effect(pre, harness.RewriteInput),
			play: func(w *world) error { return w.rewritten("Bash", map[string]string{"command": "echo REWRITTEN"}) },
		},
		{
			name: "rewrite: another path is said in the host's words", expected: "the host's own call with the new path",
			needs: all(events(pre), call("Write")), claims: effect(pre, harness.RewriteInput),
			play: func(w *world) error {
				return w.rewritten("Write", map[string]string{"path": "elsewhere — 🐎.txt", "content": "other"})
			},
		},
		{
			name: "rewrite: a command that cannot be replaced is handed back", expected: "a block that says: Rerun that as",
			needs: all(events(pre), call("Bash"), without(pre, harness.RewriteInput)), claims: effect(pre, harness.Block),
			play: handedBack,
		},
		{
			name: "rewrite: another result is what the model reads", expected: "REDACTED alone",
			needs: events(post), claims: effect(post, harness.RewriteOutput), play: redacted,
		},
		{
			name: "effect: ask lets the user decide", expected: "the question, with its reason",
			needs: events(pre), claims: effect(pre, harness.Ask),
			play: sight(pre, specific2(pre, "permissionDecision", "ask", "permissionDecisionReason", text), harness.Ask, text),
		},
		{
			name: "effect: what cannot be asked is held up", expected: "a block with the reason",
			needs: all(events(pre), without(pre, harness.Ask)), claims: effect(pre, harness.Block),
			play: sight(pre, specific2(pre, "permissionDecision", "ask", "permissionDecisionReason", text), harness.Block, text),
		},
		{
			name: "effect: allow skips the host's own question", expected: "the host is told to",
			needs: events(pre), claims: effect(pre, harness.Allow),
			play: sight(pre, specific(pre, "permissionDecision", "allow"), harness.Allow, ""),
		},
		{
			name: "effect: continue: false ends the run", expected: "the host is told to, with the reason",
			needs: events(pre), claims: effect(pre, harness.StopAgent),
			play: sight(pre, Answer{Stdout: `{"continue":false,"stopReason":"ENOUGH"}` + "\n"}, harness.StopAgent, "ENOUGH"),
		},
		{
			name: "effect: continue: false holds the tool up", expected: "a block with the reason",
			needs: all(events(pre), without(pre, harness.StopAgent)), claims: effect(pre, harness.Block),
			play: sight(pre, Answer{Stdout: `{"continue":false,"stopReason":"ENOUGH"}` + "\n"}, harness.Block, "ENOUGH"),
		},
	}
	for _, e := range []harness.Event{harness.SessionStart, harness.UserPromptSubmit, pre, harness.Stop} {
		all = append(all, kase{
			name: fmt.Sprintf("%s: a notice reaches the user", e), expected: "the text, once", needs: events(e), claims: effect(e, harness.Notify),
			play: sight(e, Answer{Stdout: `{"systemMessage":"LOOK — 🐎"}` + "\n"}, harness.Notify, "LOOK — 🐎"),
		})
	}
	return all
}

// without is met where the harness does not have the effect, so that something else must happen in its place.
func without(e harness.Event, x harness.Effect) func(*subject) string {
	return func(s *subject) string {
		if b, _ := s.row.Binding(e); b.Has(x) {
			return leftOut
		}
		return ""
	}
}

// sight plays an event with an answer, and looks for an effect.
func sight(e harness.Event, a Answer, x harness.Effect, want string) func(*world) error {
	return func(w *world) error {
		if err := w.answer(e, a); err != nil {
			return err
		}
		saw, err := w.reach(e, act{})
		if err != nil {
			return err
		}
		return w.sees(saw.texts(x), want)
	}
}

// rewritten lets a handler replace a call's input by Claude's keys, and expects the host's call with the new words.
func (w *world) rewritten(tool string, other map[string]string) error {
	claude := map[string]string{"command": "command", "path": "file_path", "content": "content"}
	input := map[string]string{}
	for name, word := range other {
		input[claude[name]] = word
	}
	if err := w.answer(harness.PreToolUse, specific(harness.PreToolUse, "updatedInput", input)); err != nil {
		return err
	}
	saw, err := w.reach(harness.PreToolUse, act{Call: w.call(tool)})
	if err != nil {
		return err
	}
	got := saw.texts(harness.RewriteInput)
	want := w.callWith(tool, other)
	if len(got) == 1 && (sameJSON(got[0], string(want.Input)) || subset(got[0], string(want.Input))) {
		w.note("%s", got[0])
		return first(w.seesNothing(saw.reasons()))
	}
	return fmt.Errorf("the host's input is %s", shown(got))
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// subset: of a full replacement only what the handler gave is there; what the host's call has beside it is gone.
func subset(a, b string) bool {
	var x, y map[string]any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil || len(x) == 0 {
		return false
	}
	for key, v := range x {
		if !reflect.DeepEqual(v, y[key]) {
			return false
		}
	}
	return strings.Contains(a, "REWRITTEN") || strings.Contains(a, "elsewhere")
}

func handedBack(w *world) error {
	if err := w.answer(harness.PreToolUse, specific(harness.PreToolUse, "updatedInput", map[string]string{"command": "echo REWRITTEN"})); err != nil {
		return err
	}
	saw, err := w.reach(harness.PreToolUse, act{Call: w.call("Bash")})
	if err != nil {
		return err
	}
	return w.sees(saw.reasons(), "Rerun that as: echo REWRITTEN")
}

func redacted(w *world) error {
	if err := w.answer(harness.PostToolUse, specific(harness.PostToolUse, "updatedToolOutput", "REDACTED")); err != nil {
		return err
	}
	saw, err := w.reach(harness.PostToolUse, act{})
	if err != nil {
		return err
	}
	got := saw.texts(harness.RewriteOutput)
	if has(got, "RESULT") {
		return fmt.Errorf("the host saw %s", shown(got))
	}
	return w.sees(got, "REDACTED")
}

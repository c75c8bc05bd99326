package conform

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// blockCases: whatever form a handler chooses, the model reads the reason and nothing else.
func blockCases(s *subject) []kase {
	e := harness.PreToolUse
	json := fmt.Sprintf(`{"decision":"block","reason":%s}`, harness.Quoted(text))
	forms := []struct {
		name   string
		answer Answer
		want   string
	}{
		{"one line of JSON", Answer{Exit: 2, Stdout: json + "\n"}, text},
		{"JSON with exit code 0", Answer{Stdout: json + "\n"}, text},
		{"a denied permission", specific2(e, "permissionDecision", "deny", "permissionDecisionReason", text), text},
		{"standard error alone", Answer{Exit: 2, Stderr: text}, text},
		{"JSON, and something else on standard error", Answer{Exit: 2, Stdout: json + "\n", Stderr: "noise\n"}, text},
		{"objects without anything between", Answer{Exit: 2, Stdout: `{"reason":"not this"}` + json + `{"x":"}"}`}, text},
		{"JSON with a raw line break in it", Answer{Exit: 2, Stdout: "{\"decision\":\"block\",\"reason\":\"first\nsecond\"}"}, "first\nsecond"},
		{"noise before the JSON", Answer{Exit: 2, Stdout: "main() {\n" + json + "\n"}, text},
	}
	var all []kase
	for _, f := range forms {
		all = append(all, kase{
			name:     "block: " + f.name,
			expected: fmt.Sprintf("exactly %q", f.want),
			needs:    events(e),
			claims:   effect(e, harness.Block),
			play:     func(w *world) error { return w.exactReason(e, f.answer, f.want) },
		})
	}
	return append(all, silentCase(e), notBlockedCase(e), observerCase(e))
}

func specific2(e harness.Event, key, value, key2, value2 string) Answer {
	return Answer{Stdout: fmt.Sprintf(`{"hookSpecificOutput":{"hookEventName":%q,%q:%q,%q:%s}}`+"\n", e, key, value, key2, harness.Quoted(value2))}
}

func (w *world) exactReason(e harness.Event, a Answer, want string) error {
	if err := w.answer(e, a); err != nil {
		return err
	}
	saw, err := w.reach(e, act{})
	if err != nil {
		return err
	}
	for _, r := range saw.reasons() {
		if strings.TrimSpace(r) == want {
			w.note("%s", shown(r))
			return nil
		}
	}
	return fmt.Errorf("the host saw %s", shown(saw.reasons()))
}

func silentCase(e harness.Event) kase {
	return kase{
		name: "block: an exit code of 2 without a word", expected: "a block whose reason names the handler", needs: events(e), claims: effect(e, harness.Block),
		play: func(w *world) error {
			if err := w.answer(e, Answer{Exit: 2}); err != nil {
				return err
			}
			saw, err := w.reach(e, act{})
			if err != nil {
				return err
			}
			return w.sees(saw.reasons(), "pretooluse")
		},
	}
}

// notBlockedCase: what Claude would read as plain text, or as a crash, holds nothing up.
func notBlockedCase(e harness.Event) kase {
	return kase{
		name: "block: noise, other words and other exit codes are none", expected: "nothing is held up", needs: events(e),
		play: func(w *world) error {
			answers := []Answer{
				{Stdout: "log\n" + `{"decision":"block","reason":"no"}`}, {Stdout: `{"decision":"approve","reason":"fine"}`},
				{Exit: 1, Stderr: "broken\n"}, {Exit: 3, Stdout: "ended\n"}, {Stderr: "only talking\n"},
			}
			if err := first(w.answer(e, answers...), w.begin()); err != nil {
				return err
			}
			for i := range answers {
				saw, err := w.fire(string(e), w.actOf(e, act{}))
				if err == nil {
					err = w.seesNothing(saw.reasons())
				}
				if err != nil {
					return fmt.Errorf("answer %d: %w", i+1, err)
				}
			}
			return w.count(e, len(answers))
		},
	}
}

func observerCase(e harness.Event) kase {
	return kase{
		name: "block: a handler with block: false only looks on", expected: "nothing is held up", needs: events(e),
		setup: setup{handler: map[harness.Event]string{e: "block: false"}},
		play: func(w *world) error {
			if err := w.answer(e, blocking(text)); err != nil {
				return err
			}
			saw, err := w.reach(e, act{})
			if err != nil {
				return err
			}
			return first(w.seesNothing(saw.reasons()), w.count(e, 1))
		},
	}
}

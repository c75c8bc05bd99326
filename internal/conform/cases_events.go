package conform

import (
	"fmt"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// eventCases: every event that the harness has is dispatched, in Claude's shape; a block and context do what the descriptor
// says, or nothing.
func eventCases(s *subject) (all []kase) {
	for _, b := range s.row.Events {
		all = append(all, dispatchedCase(b.Event), blockedCase(b.Event))
		if carriesContext(b.Event) {
			all = append(all, contextCase(b.Event))
		}
	}
	return all
}

func dispatchedCase(e harness.Event) kase {
	return kase{
		name:     fmt.Sprintf("%s: it is dispatched, and holds nothing up", e),
		expected: "one payload, keys in the contract's order, and no effect",
		play: func(w *world) error {
			saw, err := w.reach(e, act{})
			if err != nil {
				return err
			}
			calls := w.board.calls(string(e))
			if len(calls) != 1 {
				return fmt.Errorf("handlers of %s ran %d times", e, len(calls))
			}
			w.note("%s", shown(string(calls[0].Payload)))
			return first(w.wellFormed(e, calls[0]), w.seesNothing(saw.reasons()))
		},
	}
}

func blockedCase(e harness.Event) kase {
	k := kase{
		name:     fmt.Sprintf("%s: a block reaches the host, with its reason", e),
		expected: fmt.Sprintf("the reason %q", text),
		claims:   effect(e, harness.Block),
		play: func(w *world) error {
			if err := w.answer(e, blocking(text)); err != nil {
				return err
			}
			saw, err := w.reach(e, act{})
			if err != nil {
				return err
			}
			return w.sees(saw.reasons(), text)
		},
	}
	return k
}

// carriesContext: at these events Claude takes context.
func carriesContext(e harness.Event) bool {
	return slices.Contains([]harness.Event{
		harness.SessionStart, harness.UserPromptSubmit, harness.PreToolUse, harness.PostToolUse, harness.PostToolUseFailure, harness.SubagentStart,
	}, e)
}

func contextCase(e harness.Event) kase {
	return kase{
		name:     fmt.Sprintf("%s: context reaches the model", e),
		expected: fmt.Sprintf("the text %q", text),
		claims:   effect(e, harness.Context),
		play: func(w *world) error {
			if err := w.answer(e, specific(e, "additionalContext", text)); err != nil {
				return err
			}
			a := w.actOf(e, act{})
			saw, err := w.reach(e, a)
			if err != nil {
				return err
			}
			later, err := w.later(e, a)
			if err != nil {
				return err
			}
			return w.sees(append(saw.texts(harness.Context), later...), text)
		},
	}
}

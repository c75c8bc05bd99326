package verdict

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Part is one handler's outcome in the fold.
type Part struct {
	Handler string
	Block   bool // false: the handler may observe and add context, but decides nothing
	Outcome Outcome
}

// Fold makes one verdict of all outcomes of an event, given in the order of the handlers. Any block blocks, and the reasons
// are joined in that order; a handler that releases a stop beats every block of it. Context and a new input count only when
// nothing blocked; of several inputs the last, which was made from the others. notes are what has to be said aloud: effects that got lost, and verdicts that were not obeyed.
func Fold(binding harness.Binding, parts []Part) (v harness.Verdict, notes []string) {
	var reasons, questions, context []string
	released, input := false, ""
	for _, p := range parts {
		o := p.Outcome
		notes = append(notes, notesOf(binding, p)...)
		if o.Context != "" {
			context = append(context, o.Context)
		}
		switch {
		case !p.Block:
		case o.Blocked:
			reasons = append(reasons, o.Reason)
		case o.Asked:
			questions = append(questions, o.Reason)
		case o.Released:
			released = true
		}
		if p.Block && o.Input != "" {
			input = o.Input
		}
	}
	switch {
	case released:
		return harness.Verdict{}, notes
	case len(reasons) > 0:
		return harness.Verdict{Blocked: true, Reason: strings.Join(reasons, "\n")}, notes
	case len(questions) > 0:
		return harness.Verdict{Ask: true, Reason: strings.Join(questions, "\n"), Context: strings.Join(context, "\n"), Input: input}, notes
	}
	return harness.Verdict{Context: strings.Join(context, "\n"), Input: input}, notes
}

func notesOf(binding harness.Binding, p Part) (notes []string) {
	o := p.Outcome
	if len(o.NotCarried) > 0 {
		notes = append(notes, fmt.Sprintf("%s asked for %s on %s; that is not carried out here", p.Handler, strings.Join(o.NotCarried, ", "), binding.Event))
	}
	if !p.Block && (o.Blocked || o.Asked || o.Released || o.Input != "") {
		notes = append(notes, fmt.Sprintf("%s gave a verdict on %s, but is block: false; not obeyed%s", p.Handler, binding.Event, because(o.Reason)))
	}
	return notes
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

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
	var reasons, questions, context, notices []string
	released, allowed := false, false
	for _, p := range parts {
		o := p.Outcome
		notes = append(notes, notesOf(binding, p)...)
		context, notices = appendText(context, o.Context), appendText(notices, o.Notice)
		switch {
		case !p.Block:
			continue
		case o.Blocked:
			reasons = append(reasons, o.Reason)
		case o.Asked:
			questions = append(questions, o.Reason)
		case o.Released:
			released = true
		}
		allowed = allowed || o.Allowed
		if o.Stopped {
			v.Stop, v.Why = true, or(v.Why, o.Why)
		}
		v.Input, v.Output = or(o.Input, v.Input), or(o.Output, v.Output)
	}
	if binding.Has(harness.Notify) {
		v.Notice = strings.Join(notices, "\n")
	}
	v.Context = strings.Join(context, "\n")
	switch {
	case released:
		return harness.Verdict{Notice: v.Notice}, notes
	case len(reasons) > 0:
		v.Blocked, v.Reason, v.Context, v.Input = true, strings.Join(reasons, "\n"), "", ""
	case len(questions) > 0:
		v.Ask, v.Reason = true, strings.Join(questions, "\n")
	default:
		v.Allow = allowed
	}
	return v, notes
}

func appendText(texts []string, text string) []string {
	if text == "" {
		return texts
	}
	return append(texts, text)
}

func notesOf(binding harness.Binding, p Part) (notes []string) {
	o := p.Outcome
	if len(o.NotCarried) > 0 {
		notes = append(notes, fmt.Sprintf("%s asked for %s on %s; that is not carried out here", p.Handler, strings.Join(o.NotCarried, ", "), binding.Event))
	}
	if o.Notice != "" && !binding.Has(harness.Notify) { // the line itself is how the user hears of it
		notes = append(notes, p.Handler+" says: "+o.Notice)
	}
	if decides := o.Blocked || o.Asked || o.Released || o.Allowed || o.Stopped || o.Input+o.Output != ""; decides && !p.Block {
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

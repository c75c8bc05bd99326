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
// are joined in that order; a handler that releases a stop beats every block of it. Where the event cannot be blocked, a block
// is a note and takes nothing from the others. Context stands behind the reason of a blocked tool call, which is all that the
// model reads of it; of a prompt that is dropped it reads nothing. A new input counts only when nothing blocked, and so does
// the call that is to be made instead where none can be given; of several the last, which was made from the others. notes are
// what has to be said aloud: effects that got lost, and verdicts that were not obeyed.
func Fold(binding harness.Binding, parts []Part) (v harness.Verdict, notes []string) {
	var reasons, questions, context, notices []string
	released, allowed, instead := false, false, ""
	for _, p := range parts {
		o := p.Outcome
		notes = append(notes, notesOf(binding, p)...)
		context, notices = appendText(context, o.Context), appendText(notices, o.Notice)
		switch {
		case !p.Block:
			continue
		case o.Blocked && !blockable(binding):
			notes = append(notes, fmt.Sprintf("%s blocked %s, which cannot be blocked here%s", p.Handler, binding.Event, because(o.Reason)))
		case o.Instead:
			instead = o.Reason
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
		return blocked(binding, v, reasons), notes
	case instead != "":
		return blocked(binding, v, []string{instead}), notes
	case len(questions) > 0 && !binding.Has(harness.Ask):
		return blocked(binding, v, questions), notes
	case len(questions) > 0:
		v.Ask, v.Reason = true, strings.Join(questions, "\n")
	default:
		v.Allow = allowed
	}
	return v, notes
}

func blocked(binding harness.Binding, v harness.Verdict, reasons []string) harness.Verdict {
	if binding.Event.Tool() {
		reasons = appendText(reasons, v.Context)
	}
	v.Blocked, v.Reason, v.Context, v.Input = true, strings.Join(reasons, "\n"), "", ""
	return v
}

// blockable says whether a block can do anything, be it to make the run go on.
func blockable(binding harness.Binding) bool {
	return binding.Has(harness.Block) || binding.Has(harness.Continue)
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

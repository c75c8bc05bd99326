package try

import (
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/dispatch"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// deed is what an agent does with an event, for people.
type deed struct{ passes, blocked string }

// deeds has no row for events at which an agent only tells its hooks what happened.
var deeds = map[harness.Event]deed{
	harness.SessionStart:       {"starts", ""},
	harness.UserPromptSubmit:   {"takes the prompt", "drops the prompt"},
	harness.PreToolUse:         {"runs it", "does not run it"},
	harness.PermissionRequest:  {"asks you, as ever", "refuses it"},
	harness.PostToolUse:        {"goes on", "goes on, told so"}, // the tool has run
	harness.PostToolUseFailure: {"goes on", "goes on, told so"},
	harness.PreCompact:         {"compacts", "does not compact"},
	harness.SubagentStart:      {"starts it", ""},
	harness.SubagentStop:       {"ends the sub-agent", "keeps the sub-agent at it"},
	harness.Stop:               {"stops", "goes on"},
	harness.SessionEnd:         {"ends", ""},
}

// does says what the agent does with a verdict that it can carry out.
func does(event harness.Event, v harness.Verdict) string {
	d, ok := deeds[event]
	if !ok {
		d.passes = "goes on"
	}
	switch {
	case v.Stop:
		return "ends the run"
	case v.Blocked:
		return d.blocked
	case v.Ask:
		return "asks you first"
	case v.Allow && event == harness.PermissionRequest:
		return "grants it"
	case v.Allow && v.Input == "":
		return d.passes + ", unasked"
	case v.Allow:
		return d.passes + ", changed and unasked"
	case v.Input != "":
		return d.passes + ", changed"
	case v.Output != "":
		return d.passes + ", with another result"
	}
	return d.passes
}

// Reading is a text that somebody gets to read.
type Reading struct {
	Who  string `json:"who"`  // model | user
	What string `json:"what"` // reason | context | input | result | notice
	Text string `json:"text"`
}

// readings are what comes of a verdict that the agent can carry out. On a prompt and a compaction there is no turn of the
// model's that could take a reason; the user sees it.
func readings(event harness.Event, v harness.Verdict) []Reading {
	who := "model"
	if v.Ask || event == harness.UserPromptSubmit || event == harness.PreCompact {
		who = "user"
	}
	all := []Reading{
		{who, "reason", v.Reason}, {"model", "context", v.Context}, {"model", "input", v.Input}, {"model", "result", v.Output},
		{"user", "reason", v.Why}, {"user", "notice", v.Notice},
	}
	kept := []Reading{}
	for _, r := range all {
		if r.Text != "" {
			kept = append(kept, r)
		}
	}
	return kept
}

// take fills in what was found out for one agent.
func (a *Agent) take(t dispatch.Trial, h *harness.Harness, b harness.Binding) {
	v := t.Verdict
	if v.Blocked && !b.Has(harness.Block) && !b.Has(harness.Continue) {
		v = harness.Verdict{Notice: v.Notice} // that it is not obeyed is among the loud lines
	}
	a.Verdict = word(v)
	a.Does, a.Reads = does(b.Event, v), readings(b.Event, v)
	a.Can = append(a.Can, b.Can...)
	a.Payload = string(t.Payload)
	if !a.Itself && (t.Reply != harness.Reply{}) {
		a.Answer = &Answer{t.Reply.Exit, t.Reply.Stdout, t.Reply.Stderr}
	}
	a.Loud = append(a.Loud, t.Loud...)
	for _, o := range t.Handlers {
		a.Handlers = append(a.Handlers, handlerOf(o))
		if o.Counts && (o.Verdict == "blocked" || o.Verdict == "asked" || o.Outcome.Blocked) {
			a.By = append(a.By, o.Name)
		}
	}
}

func word(v harness.Verdict) string {
	switch {
	case v.Blocked:
		return "blocked"
	case v.Ask:
		return "asked"
	}
	return "allowed"
}

func handlerOf(o dispatch.Opinion) Handler {
	h := Handler{Name: o.Name, Missed: o.Missed, Verdict: o.Verdict, Millis: float64(o.Took.Round(time.Microsecond).Microseconds()) / 1000}
	out := o.Outcome
	h.Reason, h.Context, h.Notice = out.Reason, out.Context, out.Notice
	h.Input, h.Result, h.NotCarried = out.Input, out.Output, append([]string{}, out.NotCarried...)
	h.Obeyed = o.Counts
	return h
}

// says is what a handler said, for people.
func (h Handler) says(dry bool) string {
	switch {
	case h.Missed != "":
		return "not asked: " + h.Missed
	case dry:
		return "would be asked"
	case h.Verdict == "failed" && h.Reason != "":
		return "FAILED, which blocks"
	case h.Verdict == "failed":
		return "FAILED, which counts as allowed"
	}
	s := map[string]string{"allowed": "allows", "blocked": "blocks", "asked": "wants you to decide"}[h.Verdict]
	var more []string
	for _, x := range []struct{ word, text string }{{"another input", h.Input}, {"another result", h.Result}, {"context", h.Context}, {"a notice", h.Notice}} {
		if x.text != "" {
			more = append(more, x.word)
		}
	}
	if len(more) > 0 {
		s += ", and gives " + strings.Join(more, " and ")
	}
	if h.Verdict != "allowed" && !h.Obeyed {
		s += ", but is block: false"
	}
	return s
}

package verdict

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// Result is what one handler left behind when it ended by itself.
type Result struct {
	Handler string // its name, for reasons and faults
	Exit    int    // any other than 0 and 2 only beside an answer (IsAnswer); else it is a fault that the caller knows how to name
	Stdout  string
	Stderr  string
	Tool    string // of a tool event: the tool's name, and
	Input   string // its input as JSON, both as the handler got them
}

// Outcome is what one handler said.
type Outcome struct {
	Blocked    bool
	Asked      bool     // the user is to decide; where the binding cannot ask, Reason says so and it comes to a block
	Released   bool     // of a stop: it passes, whatever others say
	Instead    bool     // of Blocked: only because the input cannot be rewritten; Reason says the call that is to be made instead
	Reason     string   // of Blocked or Asked
	Context    string   // what the model is to read
	Input      string   // the tool's input as it is to be, JSON on one line; set only where the binding can rewrite it
	Output     string   // the tool's result as the model is to read it, JSON on one line; set only where the binding can rewrite it
	Allowed    bool     // the host is not to ask; set only where the binding can allow
	Stopped    bool     // the run is to end; set only where the binding can stop the agent
	Why        string   // of Stopped, for the user
	Notice     string   // for the user
	NotCarried []string // effects that were asked for and that nobody carries out, by Claude's names
	Fault      string   // it answered, but not in a way that means anything; then nothing else is set
}

// Of reads one handler's result by Claude Code's protocol. binding says what an answer to the event can do in this harness.
//
// Exit 2 blocks. Stdout counts as an answer only when it is exactly one JSON object, and then whatever the exit status is, as in
// Claude; anything else is plain text: a log line before the JSON makes it no block. suppressOutput is not among the effects
// that can be lost: no handler's stdout is ever shown to anybody as it stands.
func Of(binding harness.Binding, r Result) Outcome {
	said, isAnswer := answerIn(r.Stdout)
	if isAnswer {
		said.fault = said.faultIn(binding.Event)
	}
	switch {
	case r.Exit == Blocked:
		return said.exitTwo(binding, r, isAnswer && said.fault == "")
	case !isAnswer:
		return plainText(binding, r.Stdout)
	case said.fault != "":
		return Outcome{Fault: said.fault}
	}
	return said.outcome(binding, r)
}

// IsAnswer says whether a handler's stdout is an answer, so that its exit status is none.
func IsAnswer(stdout string) bool {
	_, is := answerIn(stdout)
	return is
}

// exitTwo blocks, whatever else the answer decides, but for one that ends the run: that lets a stop pass. valid: there is an
// answer that means something.
func (a answer) exitTwo(binding harness.Binding, r Result, valid bool) (o Outcome) {
	if valid {
		o = a.outcome(binding, r)
		if o.Released {
			return o
		}
	}
	o.Blocked, o.Asked, o.Allowed, o.Input = true, false, false, ""
	o.NotCarried = without(o.NotCarried, "permissionDecision:allow", "decision:approve", "decision.behavior:allow")
	_, o.Reason = Read(r.Exit, r.Stdout, r.Stderr, a.ownReason("blocked by "+r.Handler+", which gave no reason"))
	if why := a.ownReason(""); valid && a.blocks() && why != "" {
		o.Reason = why
	}
	a.addContext(&o, binding)
	return o
}

// plainText is context for the two events where Claude reads it so, before a compaction instructions for who writes the summary, and
// nothing elsewhere.
func plainText(binding harness.Binding, stdout string) Outcome {
	text, as := wellFormed(trim(stdout)), ""
	switch binding.Event {
	case harness.SessionStart, harness.UserPromptSubmit:
		as = "context"
	case harness.PreCompact:
		as = "instructions for the summary"
	}
	switch {
	case text == "" || as == "":
		return Outcome{}
	case !binding.Has(harness.Context):
		return Outcome{NotCarried: []string{"stdout as " + as}}
	}
	return Outcome{Context: text}
}

// outcome reads an answer whose types are right.
func (a answer) outcome(binding harness.Binding, r Result) Outcome {
	handler := r.Handler
	o := Outcome{NotCarried: a.notCarried(binding), Notice: wellFormed(a.text("systemMessage")), Allowed: a.allows(binding.Event) && binding.Has(harness.Allow)}
	if a.top["continue"] == "false" && binding.Has(harness.StopAgent) {
		o.Stopped, o.Why = true, wellFormed(a.text("stopReason"))
	}
	switch event := binding.Event; {
	case a.top["continue"] == "false" && event.Gate():
		o.Released = true
		return o
	case a.top["continue"] == "false" && (event == harness.UserPromptSubmit || event.Tool()):
		o.Blocked, o.Reason = true, or(a.text("stopReason"), "stopped by "+handler+", which gave no reason")
	case a.blocks():
		o.Blocked, o.Reason = true, a.ownReason("blocked by "+handler+", which gave no reason")
	case a.permission() == "ask" && binding.Has(harness.Ask):
		o.Asked, o.Reason = true, a.ownReason(handler+" wants you to decide")
	case a.permission() == "ask":
		o.Asked, o.Reason = true, "blocked, because "+handler+" wants the user to decide and the user cannot be asked here"+a.because()
	case a.permission() == "defer": // the call is to wait for somebody, and there is nobody
		o.Blocked, o.Reason = true, "blocked, because "+handler+" defers the call and it cannot be taken up later here"+a.because()
	}
	o.Allowed = o.Allowed && !o.Blocked && !o.Asked
	a.rewrite(&o, binding, r)
	a.replace(&o, binding)
	a.addContext(&o, binding)
	return o
}

// because is the answer's own reason, to be put behind one of ours.
func (a answer) because() string {
	if why := a.ownReason(""); why != "" {
		return ": " + why
	}
	return ""
}

// addContext: on a stop, context makes Claude go on, so it is a block whose reason it is.
func (a answer) addContext(o *Outcome, binding harness.Binding) {
	text := a.context()
	switch {
	case text == "":
	case binding.Event.Gate():
		o.Reason = strings.TrimPrefix(o.Reason+"\n"+text, "\n")
		o.Blocked = true
	case binding.Has(harness.Context):
		o.Context = text
	}
}

// notCarried names what the handler asked for and nobody carries out.
func (a answer) notCarried(binding harness.Binding) (names []string) {
	event := binding.Event
	if a.top["continue"] == "false" && event != harness.UserPromptSubmit && !event.Gate() && !binding.Has(harness.StopAgent) {
		names = append(names, "continue:false")
	}
	carried := a.allows(event) && binding.Has(harness.Allow)
	if a.text("decision") == "approve" && !carried {
		names = append(names, "decision:approve")
	}
	if a.top["async"] == "true" {
		names = append(names, "async")
	}
	if p := a.permission(); p == "defer" || p == "allow" && !carried {
		names = append(names, "permissionDecision:"+p)
	}
	if a.behavior() == "allow" && !carried {
		names = append(names, "decision.behavior:allow")
	}
	if a.context() != "" && !binding.Has(harness.Context) && !event.Gate() {
		names = append(names, "additionalContext")
	}
	return append(names, append(a.otherKeys(), a.otherDecisions()...)...)
}

// otherKeys are keys of hookSpecificOutput that are no effect of ours: whatever Claude learns tomorrow.
func (a answer) otherKeys() (names []string) {
	known := []string{"hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext", "decision", "updatedInput", "updatedToolOutput"}
	for key, raw := range a.specific {
		if !rawjson.Absent(raw) && !slices.Contains(known, key) {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	return names
}

// otherDecisions are keys of a PermissionRequest's decision that are no effect of ours, like updatedPermissions.
func (a answer) otherDecisions() (names []string) {
	for key, raw := range a.decided {
		if !rawjson.Absent(raw) && key != "behavior" && key != "message" {
			names = append(names, "decision."+key)
		}
	}
	slices.Sort(names)
	return names
}

func without(names []string, gone ...string) (left []string) {
	for _, name := range names {
		if !slices.Contains(gone, name) {
			left = append(left, name)
		}
	}
	return left
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

package harness

// Verdict is what all handlers of one event said together.
type Verdict struct {
	Blocked bool
	Ask     bool   // let the user decide; set only where the binding's Can has Ask, and never together with Blocked
	Reason  string // for the model, human-readable; set when Blocked or Ask
	Context string // text that the model is to read; empty when Blocked
}

// Reply is what the dispatcher answers to the process that started it.
type Reply struct {
	Exit   int // 0 or 2, nothing else
	Stdout string
	Stderr string
}

// ShimAnswer is the answer to a generative shim: the block verdict as one strict line, or Claude's context object.
func ShimAnswer(event Event, v Verdict) Reply {
	switch {
	case v.Blocked:
		return Reply{Exit: 2, Stdout: `{"decision":"block","reason":` + Quoted(v.Reason) + "}\n", Stderr: v.Reason + "\n"}
	case v.Context != "":
		return Reply{Stdout: `{"hookSpecificOutput":{"hookEventName":` + Quoted(string(event)) +
			`,"additionalContext":` + Quoted(v.Context) + "}}\n"}
	}
	return Reply{}
}

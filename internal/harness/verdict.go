package harness

// Verdict is what all handlers of one event said together.
type Verdict struct {
	Blocked bool
	Ask     bool   // let the user decide; set only where the binding's Can has Ask, and never together with Blocked
	Reason  string // for the model, human-readable; set when Blocked or Ask
	Context string // text that the model is to read; empty when Blocked
	Input   string // the tool's input as it is to be: an object's JSON on one line, its values as the handler wrote them; "" = as it was, or Blocked
}

// ShimAnswer is the answer to a generative shim: the block verdict as one strict line, or one line of Claude's own keys.
// runtime-js/testdata/answers.json has what the shim reads in each.
func ShimAnswer(event Event, v Verdict) Reply {
	if v.Blocked {
		return Reply{Exit: 2, Stdout: `{"decision":"block","reason":` + Quoted(v.Reason) + "}\n", Stderr: v.Reason + "\n"}
	}
	if v.Input == "" && v.Context == "" {
		return Reply{}
	}
	var line, specific Payload
	specific.String("hookEventName", string(event))
	specific.Raw("updatedInput", v.Input)
	specific.Text("additionalContext", v.Context)
	line.Raw("hookSpecificOutput", string(specific.Bytes()))
	return Reply{Stdout: string(line.Bytes()) + "\n"}
}

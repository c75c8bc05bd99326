package harness

import "strings"

// Verdict is what all handlers of one event said together.
type Verdict struct {
	Blocked bool
	Ask     bool   // let the user decide; set only where the binding's Can has Ask, and never together with Blocked
	Reason  string // for the model, human-readable; set when Blocked or Ask
	Context string // text that the model is to read; empty when Blocked
	Input   string // the tool's input as it is to be: an object's JSON on one line, its values as the handler wrote them; "" = as it was, or Blocked
	Output  string // what the model is to read as the tool's result: any JSON on one line; "" = as it was
	Allow   bool   // skip the host's own permission check; never together with Blocked or Ask
	Stop    bool   // end the run; on a tool event together with Blocked
	Why     string // for the user, of Stop; may be empty
	Notice  string // for the user, not for the model
	Env     string // variables for the commands that the agent runs from here on: an object's JSON on one line, name to text; "" = none
}

// Result is what the model is to read in place of a tool's result, for a host that takes one text and nothing beside it: the
// output, and behind it the reason and the context.
func (v Verdict) Result() string {
	texts := []string{OutputText(v.Output)}
	for _, more := range []string{v.Reason, v.Context} {
		if more != "" {
			texts = append(texts, more)
		}
	}
	return strings.Join(texts, "\n\n")
}

// ShimAnswer is the answer to a generative shim: the block verdict as one strict line, or one line of Claude's own keys.
// runtime-js/testdata/answers.json has what the shim reads in each.
func ShimAnswer(event Event, v Verdict) Reply {
	var line, specific Payload
	if v.Blocked {
		line.String("decision", "block")
		line.String("reason", v.Reason)
		v.Input, v.Context, v.Allow = "", "", false
	}
	if v.Stop {
		line.Raw("continue", "false")
	}
	line.Text("systemMessage", v.Notice)
	if v.Input != "" || v.Output != "" || v.Context != "" || v.Env != "" || v.Allow {
		specific.String("hookEventName", string(event))
		specific.Raw(allowed(event, v))
		specific.Raw("updatedInput", v.Input)
		specific.Raw("updatedToolOutput", v.Output)
		specific.Text("additionalContext", v.Context)
		specific.Raw("env", v.Env)
		line.Raw("hookSpecificOutput", string(specific.Bytes()))
	}
	switch {
	case v.Blocked:
		return Reply{Exit: 2, Stdout: string(line.Bytes()) + "\n", Stderr: v.Reason + "\n"}
	case line.Empty():
		return Reply{}
	}
	return Reply{Stdout: string(line.Bytes()) + "\n"}
}

// allowed is how Claude spells an allow: before a tool, and where the host is about to ask.
func allowed(event Event, v Verdict) (key, json string) {
	switch {
	case !v.Allow:
		return "", ""
	case event == PermissionRequest:
		return "decision", `{"behavior":"allow"}`
	}
	return "permissionDecision", `"allow"`
}

package verdict

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// rewrite: updatedInput replaces the whole input of the call. Where the host cannot do that, a new command line is told to
// the model instead, which can give it as well as we; of any other input the loss is said aloud, and the call runs as it was.
func (a answer) rewrite(o *Outcome, binding harness.Binding, r Result) {
	input := a.specific["updatedInput"]
	if rawjson.Absent(input) || o.Blocked || o.Asked && !binding.Has(harness.Ask) {
		return
	}
	if lost := lostKey(r, input); lost != "" && binding.Event == harness.PreToolUse && binding.Has(harness.Block) {
		o.Blocked, o.Asked = true, false
		o.Reason = fmt.Sprintf("the updatedInput of %s has no %s, without which %s cannot run; nothing was run", r.Handler, lost, r.Tool)
		return
	}
	if binding.Event == harness.PreToolUse && binding.Has(harness.RewriteInput) {
		o.Input = onOneLine(input)
		return
	}
	command, only := onlyCommand(r, input)
	if binding.Event == harness.PreToolUse && only && binding.Has(harness.Block) {
		o.Blocked, o.Instead, o.Asked, o.Reason = true, true, false, "Rerun that as: "+command
		return
	}
	o.NotCarried = append(o.NotCarried, "updatedInput")
}

// cannotLack returns the keys that one of Claude's tools cannot run without.
func cannotLack(tool string) []string {
	switch tool {
	case "Bash":
		return []string{"command"}
	case "Read":
		return []string{"file_path"}
	case "Write":
		return []string{"file_path", "content"}
	case "Edit":
		return []string{"file_path", "old_string", "new_string"}
	case "Grep", "Glob":
		return []string{"pattern"}
	case "WebFetch":
		return []string{"url", "prompt"}
	case "WebSearch":
		return []string{"query"}
	}
	return nil
}

// lostKey names a key that the call had and the new input lacks, though the tool cannot run without it: Claude refuses such a
// call, and other hosts would run it with nothing in that place.
func lostKey(r Result, input string) string {
	was, _ := rawjson.ParseObject(r.Input)
	now, _ := rawjson.Members(input)
	for _, key := range cannotLack(r.Tool) {
		if !rawjson.Absent(was[key]) && rawjson.Absent(now[key]) {
			return key
		}
	}
	return ""
}

// replace: updatedToolOutput is what the model reads instead of the tool's result.
func (a answer) replace(o *Outcome, binding harness.Binding) {
	output := a.specific["updatedToolOutput"]
	switch {
	case rawjson.Absent(output):
	case binding.Event == harness.PostToolUse && binding.Has(harness.RewriteOutput):
		o.Output = onOneLine(output)
	default:
		o.NotCarried = append(o.NotCarried, "updatedToolOutput")
	}
}

// onlyCommand returns the command line that the new input has, if nothing else in it differs from the call's.
func onlyCommand(r Result, input string) (command string, only bool) {
	was, ok := rawjson.ParseObject(r.Input)
	if !ok || r.Tool != "Bash" {
		return "", false
	}
	now, _ := rawjson.Members(input)
	for key, raw := range now {
		if key != "command" && onOneLine(raw) != onOneLine(was[key]) {
			return "", false
		}
	}
	command = rawjson.String(now["command"])
	return command, command != ""
}

// onOneLine takes the white space between JSON's tokens out and leaves the tokens as they are.
func onOneLine(raw string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(raw)) != nil {
		return raw
	}
	return b.String()
}

//go:build linux

package e2e

import (
	"strconv"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// newest is what was said since the model last spoke.
func newest(r fakemodel.Request) (text string) {
	for i := len(r.Messages) - 1; i >= 0 && r.Messages[i].Role != "assistant"; i-- {
		text = r.Messages[i].Text() + "\n" + text
	}
	return text
}

// inBash is a step that runs a line in Claude Code's shell.
func inBash(line string) fakemodel.Step {
	return fakemodel.Use("Bash", map[string]any{"command": line, "description": "a step"})
}

// limited is what a provider answers when a plan is used up.
func limited() fakemodel.Step {
	step := fakemodel.Fail(429, "This request would exceed your account's rate limit.")
	step.Header = map[string]string{
		"anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-representative-claim": "five_hour",
		"anthropic-ratelimit-unified-reset": strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10),
	}
	return step
}

// refused is what a provider's classifier makes of an answer.
func refused(category string) fakemodel.Step {
	return fakemodel.Step{Text: "No.", Refused: true, Category: category}
}

// toDo is what prompts ask for by DO:NAME. What asks for it stays in the conversation, so only the newest words count.
var toDo = []struct {
	do   string
	step func() fakemodel.Step
}{
	{"overloaded", func() fakemodel.Step { return fakemodel.Fail(529, "Overloaded") }},
	{"mid-stream", func() fakemodel.Step { return fakemodel.Step{Status: 529, Error: "Overloaded", Late: true} }},
	{"limit", limited},
	{"too-long", func() fakemodel.Step {
		return fakemodel.Fail(400, "prompt is too long: 250001 tokens > 200000 maximum")
	}},
	{"write", func() fakemodel.Step {
		return fakemodel.Use("Write", map[string]any{"file_path": "/nowhere/x", "content": "x"})
	}},
	{"other-model", func() fakemodel.Step { return fakemodel.Step{Text: "I am another.", Model: "claude-haiku-4-5"} }},
	{"refuse", func() fakemodel.Step { return refused("") }},
	{"forbidden", func() fakemodel.Step { return refused("cyber") }},
	{"hang", func() fakemodel.Step { return inBash("setsid sleep 300 & echo $! > $E2E/grandchild; sleep 300") }},
	{"background", func() fakemodel.Step {
		return fakemodel.Use("Bash", map[string]any{"command": "sleep 1; echo late", "description": "wait", "run_in_background": true})
	}},
	{"commit", func() fakemodel.Step {
		return inBash("echo parse > parser.txt && git add parser.txt && git -c user.name=g -c user.email=g@example.com commit -qm parser && echo '# parser' > run-gremlins/notes/parser.md")
	}},
	{"stopped", func() fakemodel.Step { return inBash("echo stop-here") }},
	{"tool", func() fakemodel.Step { return inBash("echo read") }},
}

// steps answers by what the prompt asks for; a tool's result is answered by the end.
func steps(r fakemodel.Request) fakemodel.Step {
	text := newest(r)
	if strings.Contains(text, "stopped by a safety classifier") { // it asks once more, and is told no once more
		text = r.Text()
	}
	if r.Model != gremlinModel {
		return fakemodel.Say("Another model would do it.")
	}
	for _, a := range toDo {
		if strings.Contains(text, "DO:"+a.do) {
			return a.step()
		}
	}
	return fakemodel.Say("Done.")
}

package conform

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// realCases are played on the installed program with a fake model behind it: that it does fire these events, and does with the
// answers what the imitation says.
func realCases(*subject) []kase {
	start, prompt, pre, post, stop := harness.SessionStart, harness.UserPromptSubmit, harness.PreToolUse, harness.PostToolUse, harness.Stop
	none := func(*subject) string { return "" }
	return []kase{
		real("a session is dispatched from its start to its end", "each event of a session once", none, none, realSession),
		real("context at the start reaches the model", "the text in the first request", events(start), effect(start, harness.Context), realContext(start)),
		real("context at a prompt reaches the model", "the text in the first request", events(prompt), effect(prompt, harness.Context), realContext(prompt)),
		real("a blocked prompt is not asked", "no request", events(prompt), effect(prompt, harness.Block), realBlockedPrompt),
		real("a tool that is allowed runs", "it ran, before and after it was dispatched", all(call("Bash"), events(pre, post)), none, realTool),
		real("a blocked tool does not run", "it did not, and the model reads the reason", all(call("Bash"), events(pre)), effect(pre, harness.Block), realBlockedTool),
		real("a write arrives with its file_path", "Claude's name and keys", all(call("Write"), events(pre)), none, realWrite),
		real("a rewritten command is what runs", "the other one ran", all(call("Bash"), events(pre)), effect(pre, harness.RewriteInput), realRewrite),
		real("context before a tool reaches the model", "the text behind the result", all(call("Bash"), events(pre)), effect(pre, harness.Context), realToolContext(pre)),
		real("context after a tool reaches the model", "the text behind the result", all(call("Bash"), events(post)), effect(post, harness.Context), realToolContext(post)),
		real("a note after a tool reaches the model", "the reason behind the result", all(call("Bash"), events(post)), effect(post, harness.Block), realNote),
		real("a blocked stop goes on with its reason", "one request more, which has the reason; false, then true", events(stop), effect(stop, harness.Block), realStop),
		capOf(real("a loop that never passes ends at the cap", "three rounds", events(stop), effect(stop, harness.Block), realCap)),
		real("a provider's failure is no stop", "no Stop", events(stop), none, realFailure),
		real("the gate holds in a forked session", "the fork goes on with the reason", all(events(stop), forks), effect(stop, harness.Block), realFork),
		real("taken out again, nothing of it is left", "no handler runs", none, none, realCleaned),
	}
}

func real(name, expected string, needs, claims func(*subject) string, play func(*world) error) kase {
	return kase{name: "real: " + name, expected: expected, needs: needs, claims: claims, play: play, real: true}
}

func capOf(k kase) kase {
	k.setup.yaml = "stop_gate: { max_continuations: 3 }"
	return k
}

func forks(s *subject) string {
	if s.fake.Real == nil || len(s.fake.Real.Fork) == 0 {
		return "fake.real has no fork"
	}
	return ""
}

// asked starts the program once with a script, and waits for its end.
func (w *world) asked(steps ...fakemodel.Step) (*run, error) {
	r, err := w.startReal(fakemodel.Steps(steps...))
	if err != nil {
		return nil, err
	}
	return r, w.ask(r, said, "")
}

// told is a fault with what the program said.
func (r *run) told(format string, args ...any) error {
	return fmt.Errorf("%s; %d requests, exit status %d, output: %s", fmt.Sprintf(format, args...), len(r.requests()), r.exit, shown(r.output.String()))
}

func (r *run) asks(want int) error {
	if got := len(r.requests()); got != want {
		return r.told("the model was asked %d times", got)
	}
	return nil
}

func (r *run) reads(want string) error {
	if _, ok := r.requests().First(want); !ok && !r.readsEscaped(want) {
		return r.told("the model never read %s", shown(want))
	}
	return nil
}

// readsEscaped: some programs write context with other characters.
func (r *run) readsEscaped(want string) bool {
	for _, e := range r.escapes {
		want = strings.ReplaceAll(want, e[0], e[1])
	}
	_, ok := r.requests().First(want)
	return ok
}

func realSession(w *world) error {
	r, err := w.asked(fakemodel.Say("done"))
	if err != nil {
		return err
	}
	for _, e := range []harness.Event{harness.SessionStart, harness.UserPromptSubmit, harness.Stop, harness.SessionEnd} {
		if _, ok := w.row.Binding(e); !ok || w.fake.Partly[string(e)] != "" {
			continue
		}
		if n := len(w.board.calls(string(e))); n != 1 {
			return r.told("handlers of %s ran %d times", e, n)
		}
		w.note("%s", e)
	}
	if calls := w.board.calls("UserPromptSubmit"); len(calls) == 1 && calls[0].get("prompt") != said {
		return fmt.Errorf("the prompt is %s", shown(calls[0].get("prompt")))
	}
	return r.asks(1)
}

func realContext(e harness.Event) func(*world) error {
	return func(w *world) error {
		if err := w.answer(e, specific(e, "additionalContext", text)); err != nil {
			return err
		}
		r, err := w.asked(fakemodel.Say("done"))
		if err != nil {
			return err
		}
		return r.reads(text)
	}
}

func realBlockedPrompt(w *world) error {
	if err := w.answer(harness.UserPromptSubmit, blocking(text)); err != nil {
		return err
	}
	r, err := w.asked(fakemodel.Say("done"))
	if err != nil {
		return err
	}
	return first(w.count(harness.UserPromptSubmit, 1), r.asks(0))
}

// ran says whether a command of the model's was run.
func (w *world) ran(file string) bool {
	_, err := os.Stat(filepath.Join(w.clone, file))
	return err == nil
}

func realTool(w *world) error {
	r, err := w.asked(w.shellCall("echo SEEN > ran; echo RESULT"), fakemodel.Say("done"))
	if err != nil {
		return err
	}
	if !w.ran("ran") {
		return r.told("the command did not run")
	}
	post := w.board.calls("PostToolUse")
	if len(post) != 1 || !strings.Contains(post[0].get("tool_response"), "RESULT") {
		return r.told("handlers of PostToolUse ran %d times, or without the result", len(post))
	}
	return first(w.count(harness.PreToolUse, 1), equal("tool_name", post[0].get("tool_name"), "Bash"),
		equal("command", post[0].get("tool_input.command"), "echo SEEN > ran; echo RESULT"))
}

func realBlockedTool(w *world) error {
	if err := w.answer(harness.PreToolUse, blocking(text)); err != nil {
		return err
	}
	r, err := w.asked(w.shellCall("echo SEEN > ran"), fakemodel.Say("done"))
	if err != nil {
		return err
	}
	if w.ran("ran") {
		return r.told("the command ran")
	}
	return r.reads(text)
}

func realWrite(w *world) error {
	path := filepath.Join(w.clone, "written — 🐎.txt")
	c := w.modelCall("Write", map[string]string{"path": path, "content": "text — 🐎\n"})
	r, err := w.asked(fakemodel.Use(c.Name, c.Input), fakemodel.Say("done"))
	if err != nil {
		return err
	}
	calls := w.board.calls("PreToolUse")
	if len(calls) != 1 {
		return r.told("handlers of PreToolUse ran %d times", len(calls))
	}
	return first(equal("tool_name", calls[0].get("tool_name"), "Write"), equal("file_path", calls[0].get("tool_input.file_path"), path),
		equal("content", calls[0].get("tool_input.content"), "text — 🐎\n"))
}

func realRewrite(w *world) error {
	if err := w.answer(harness.PreToolUse, specific(harness.PreToolUse, "updatedInput", map[string]string{"command": "echo SEEN > rewritten"})); err != nil {
		return err
	}
	r, err := w.asked(w.shellCall("echo SEEN > ran"), fakemodel.Say("done"))
	if err != nil {
		return err
	}
	if w.ran("ran") || !w.ran("rewritten") {
		return r.told("the first command ran: %v, the other: %v", w.ran("ran"), w.ran("rewritten"))
	}
	return nil
}

func realToolContext(e harness.Event) func(*world) error {
	return func(w *world) error {
		if err := w.answer(e, specific(e, "additionalContext", text)); err != nil {
			return err
		}
		r, err := w.asked(w.shellCall("echo RESULT"), fakemodel.Say("done"))
		if err != nil {
			return err
		}
		return first(r.reads(text), r.reads("RESULT"))
	}
}

func realNote(w *world) error {
	if err := w.answer(harness.PostToolUse, blocking(text)); err != nil {
		return err
	}
	r, err := w.asked(w.shellCall("echo RESULT"), fakemodel.Say("done"))
	if err != nil {
		return err
	}
	return r.reads(text)
}

func realStop(w *world) error {
	if err := w.answer(harness.Stop, blocking(text), Answer{}); err != nil {
		return err
	}
	r, err := w.asked(fakemodel.Say("early"), fakemodel.Say("done"))
	if err != nil {
		return err
	}
	w.note("%s", w.bits(harness.Stop))
	return first(r.reads(text), r.asks(2), equal("stop_hook_active", w.bits(harness.Stop), "false true"), w.count(harness.UserPromptSubmit, w.prompts()))
}

// prompts is how often a prompt is dispatched in a run with one: not at all where the harness has no such event.
func (w *world) prompts() int {
	if _, ok := w.row.Binding(harness.UserPromptSubmit); ok {
		return 1
	}
	return 0
}

func realCap(w *world) error {
	if err := w.answer(harness.Stop, reasons(9)...); err != nil {
		return err
	}
	r, err := w.asked(fakemodel.Say("done"))
	if err != nil {
		return err
	}
	w.note("%d requests", len(r.requests()))
	return first(r.asks(4), r.reads("NOT YET 3"), w.said("max_continuations"))
}

func realFailure(w *world) error {
	if err := w.answer(harness.Stop, blocking(text)); err != nil {
		return err
	}
	if _, err := w.asked(fakemodel.Fail(400, "no such luck")); err != nil {
		return err
	}
	return w.count(harness.Stop, 0)
}

// realFork: the first stop is the parent's.
func realFork(w *world) error {
	if err := w.answer(harness.Stop, Answer{}, blocking(text), Answer{}); err != nil {
		return err
	}
	r, err := w.asked(fakemodel.Say("parent"), fakemodel.Say("early"), fakemodel.Say("done"))
	if err != nil {
		return err
	}
	stops := w.board.calls("Stop")
	if len(stops) != 1 {
		return r.told("handlers of Stop ran %d times in the parent", len(stops))
	}
	if err := w.ask(r, "another", stops[0].get("session_id")); err != nil {
		return err
	}
	w.note("%s", w.bits(harness.Stop))
	return first(r.asks(3), r.reads(text), equal("stop_hook_active", w.bits(harness.Stop), "false false true"))
}

// realCleaned holds that all of this is Lorimer's doing.
func realCleaned(w *world) error {
	if err := w.clean(); err != nil {
		return err
	}
	r, err := w.asked(w.shellCall("echo SEEN > ran"), fakemodel.Say("done"))
	if err != nil {
		return err
	}
	for _, e := range harness.Events {
		if n := len(w.board.calls(string(e))); n > 0 {
			return fmt.Errorf("handlers of %s ran %d times", e, n)
		}
	}
	if !w.ran("ran") {
		return r.told("the command did not run")
	}
	return r.asks(2)
}

// essential are the cases without which nothing else of an installed program counts.
var essential = []string{"a tool that is allowed runs", "a blocked tool does not run", "a blocked stop goes on with its reason", "taken out again, nothing of it is left"}

// Essential is a Config.Only that plays the few cases on the installed program that matter most: that a call is blocked and a stop
// held, and that both are the hooks' doing.
func Essential(name string) bool {
	return slices.Contains(essential, strings.TrimPrefix(name, "real: "))
}

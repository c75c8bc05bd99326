//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// copilot makes a world for Copilot in its plainest mode, with the script, and materializes it: for all agents, so that
// Lorimer's entries stand in Claude's settings, too, which Copilot runs without their arguments.
func copilot(t *testing.T, script fakemodel.Script, more ...string) (context.Context, *outcome) {
	t.Helper()
	need(t)
	t.Parallel()
	o := &outcome{mode: rig.Copilot.Modes[0]}
	o.Rig = world(t, rig.Copilot, script, rig.Handlers(more...))
	victim(t, o.Rig)
	ctx, cancel := context.WithTimeout(t.Context(), patience(rig.Copilot))
	t.Cleanup(cancel)
	must(t, materialize(ctx, o.Rig))
	return ctx, o
}

const (
	copilotHooks  = ".github/hooks/lorimer.json"
	localSettings = ".claude/settings.local.json"
)

var removing = fakemodel.Steps(fakemodel.Use("bash", map[string]any{"command": "rmdir hooks/victim", "description": "d"}), fakemodel.Say("done"))

// Models with the id of a GPT that writes patches have one tool for all writing, whose whole input is a text.
func TestCopilotGuardsOfWriteAndEditHoldPatches(t *testing.T) {
	ctx, o := copilot(t, patchSteps(applyPatch), patchGuards)
	o.Extra = append(o.Extra, "COPILOT_MODEL=gpt-5.1-codex")
	holdsPatches(ctx, t, o, rig.Options{})
}

func TestCopilotPatch(t *testing.T) {
	ctx, o := copilot(t, fakemodel.Steps(
		applyPatch("*** Begin Patch\n*** Add File: new.txt\n+text\n*** Delete File: old.txt\n*** End Patch"),
		applyPatch("*** Begin Patch\n*** Add File: .lorimer/manifest.json\n+{}\n*** End Patch"),
		fakemodel.Say("done")), "  - { name: gate, event: Stop, run: 'true', on_error: block }")
	o.Extra = append(o.Extra, "COPILOT_MODEL=gpt-5.1-codex")
	must(t, os.WriteFile(filepath.Join(o.Clone, "old.txt"), []byte("old\n"), 0o600))
	must(t, o.Answer("PreToolUse", `grep -q '"tool_name":"Write"' "$payload" && hook '{"updatedInput":{"content":"other"}}'`))
	must(t, once(ctx, o, rig.Options{}))
	o.log = o.Model.Requests()
	hold(t, o, exits(0), there("new.txt"), gone("old.txt"), dispatched("PreToolUse", 3), dispatched("PostToolUse", 2),
		field("PreToolUse", 0, is("Write"), "tool_name"), field("PreToolUse", 0, inClone("new.txt"), "tool_input", "file_path"),
		field("PreToolUse", 0, is("text\n"), "tool_input", "content"),
		field("PreToolUse", 1, is("Edit"), "tool_name"), field("PreToolUse", 1, inClone("old.txt"), "tool_input", "file_path"),
		field("PostToolUse", 0, is("other\n"), "tool_input", "content"), reads(3, "(self_protect)"))
	if text, err := os.ReadFile(filepath.Join(o.Clone, "new.txt")); strings.TrimSpace(string(text)) != "other" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// applyPatch is the call of a model without tools of its own making: a function with one argument.
func applyPatch(patch string) fakemodel.Step {
	return fakemodel.Use("apply_patch", map[string]any{"input": patch})
}

// Copilot runs its own hook file and Claude's settings, with the same bytes on standard input. Each event is served once, as
// Copilot's, whichever is broken. (That the order does not matter internal/dispatch holds.)
func TestCopilotReadsClaudesSettingsToo(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, o *outcome){
		"its own first":            func(*testing.T, *outcome) {},
		"its own file is broken":   func(t *testing.T, o *outcome) { overwrite(t, o, copilotHooks, "{") },
		"Claude's file is broken":  func(t *testing.T, o *outcome) { overwrite(t, o, localSettings, "{") },
		"Claude's with their args": func(t *testing.T, o *outcome) { overwrite(t, o, localSettings, argsInLine(t, o)) },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, o := copilot(t, removing)
			prepare(t, o)
			must(t, o.Answer("PreToolUse", "block 'not that'"), o.Answer("Stop", "first_stop && block 'once more'"))
			verify(ctx, t, o, exits(0), quiet(), through(0, "copilot"), dispatched("SessionStart", 1), dispatched("UserPromptSubmit", 1),
				dispatched("PreToolUse", 1), there("hooks/victim"), result(0, is("Denied by preToolUse hook: not that")),
				dispatched("Stop", 2), reads(3, "once more"), dispatched("SessionEnd", 1),
				check{what: "nothing is said aloud", test: func(o *outcome) error { return same(o.StateLog(), "") }})
		})
	}
}

func overwrite(t *testing.T, o *outcome, path, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(o.Clone, path), []byte(text), 0o600))
}

func dispatcherIn(o *outcome) string {
	return filepath.Join(o.Home, ".local/state/lorimer/bin/lorimer-dispatch")
}

// argsInLine is Claude's settings with the arguments in the command itself, where Copilot keeps them.
func argsInLine(t *testing.T, o *outcome) string {
	t.Helper()
	hooks := map[string]any{}
	for _, event := range rig.Labels {
		line := fmt.Sprintf("%s --root %s claude %s", dispatcherIn(o), o.Clone, event)
		hooks[event] = []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": line}}}}
	}
	b, err := json.Marshal(map[string]any{"hooks": hooks})
	must(t, err)
	return string(b)
}

// Hooks in Claude's settings Copilot runs by itself, so Lorimer leaves them to it there, says so, and they run once. Moved into a
// lorimer.yaml they run through Lorimer, once again.
func TestCopilotHooksInPlaceRunOnce(t *testing.T) {
	need(t)
	t.Parallel()
	const hooks = `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./hooks/handler PreToolUse"}]}]}}`
	b, err := os.ReadFile("rig/handler.sh")
	must(t, err)
	script := func(r fakemodel.Request) fakemodel.Step {
		if r.Turn%2 == 1 {
			return fakemodel.Use("bash", map[string]any{"command": "true", "description": "d"})
		}
		return fakemodel.Say("done")
	}
	r, err := rig.New(rig.Config{Install: install, Bin: bin, Host: rig.Copilot, NoYAML: true, Script: script,
		Files: map[string]string{"hooks/handler": string(b), settings: hooks}})
	must(t, err)
	t.Cleanup(func() { must(t, r.Close()) })
	o := &outcome{Rig: r, mode: rig.Copilot.Modes[0]}
	ctx, cancel := context.WithTimeout(t.Context(), patience(rig.Copilot))
	defer cancel()
	out, err := o.Lorimer(ctx, "materialize", "--harness", "claude,copilot,pi", o.Clone)
	must(t, err)
	if !strings.Contains(out, "GitHub Copilot CLI runs the hooks of") || !strings.Contains(out, "lorimer import") {
		t.Errorf("materialize says %s", out)
	}
	verify(ctx, t, o, exits(0), gone(copilotHooks), dispatched("PreToolUse", 1), through(0, ""))
	_, err = o.Lorimer(ctx, "import", "--harness", "claude,copilot,pi", o.Clone)
	must(t, err)
	verify(ctx, t, o, exits(0), there(copilotHooks), dispatched("PreToolUse", 2), through(1, "copilot"))
}

// through holds when the i-th handler was started by Lorimer in the name of that harness; "" = not by Lorimer.
func through(i int, id string) check {
	return check{what: fmt.Sprintf("handler %d is started in the name of %q", i, id), test: func(o *outcome) error {
		calls := o.Calls("PreToolUse")
		if len(calls) <= i {
			return fmt.Errorf("only %d calls", len(calls))
		}
		return same(calls[i].Env["LORIMER_HARNESS"], id)
	}}
}

// A clone whose Lorimer is gone can be worked in, although a command that does not exist blocks every tool of Copilot's. Where a
// handler must hold, it does block.
func TestCopilotWhenLorimerIsGone(t *testing.T) {
	for name, c := range map[string]struct {
		more  []string
		check check
	}{
		"":                {nil, gone("hooks/victim")},
		"on_error: block": {[]string{"  - { name: must, event: PreToolUse, argv: [./hooks/handler, Must], on_error: block }"}, there("hooks/victim")},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, o := copilot(t, removing, c.more...)
			must(t, os.Remove(dispatcherIn(o)), os.Remove(filepath.Join(o.Clone, localSettings)))
			verify(ctx, t, o, exits(0), requests(2), c.check)
		})
	}
}

// A sub-agent's events carry its id, and the main session's. Its prompt is none of the user's, and its end no end of the work.
func TestCopilotSubagent(t *testing.T) {
	task := map[string]any{"agent_type": "explore", "name": "sub", "description": "d", "prompt": "look", "mode": "sync"}
	ctx, o := copilot(t, fakemodel.Steps(fakemodel.Use("task", task), fakemodel.Use("bash", map[string]any{"command": "true", "description": "d"}),
		fakemodel.Say("early"), fakemodel.Say("seen"), fakemodel.Say("done")),
		"  - { name: began, event: SubagentStart, argv: [./hooks/handler, SubagentStart] }",
		"  - { name: ended, event: SubagentStop, argv: [./hooks/handler, SubagentStop] }")
	must(t, o.Answer("SubagentStart", `hook '{"additionalContext":"FOR THE AGENT"}'`), o.Answer("SubagentStop", "first_stop && block 'look again'"))
	main := func(o *outcome) string { return o.Calls("SessionStart")[0].Get("session_id") }
	agent := func(o *outcome) string { return o.Calls("SubagentStart")[0].Get("agent_id") }
	verify(ctx, t, o, exits(0), dispatched("UserPromptSubmit", 1), dispatched("SubagentStart", 1), dispatched("SubagentStop", 2), dispatched("Stop", 1),
		field("PreToolUse", 0, is("Agent"), "tool_name"), field("PreToolUse", 0, is(""), "agent_id"),
		field("PreToolUse", 1, main, "session_id"), field("PreToolUse", 1, agent, "agent_id"),
		field("SubagentStart", 0, main, "session_id"), field("SubagentStop", 0, agent, "agent_id"),
		field("SubagentStop", 0, is("early"), "last_assistant_message"), reads(2, "FOR THE AGENT"), reads(4, "look again"))
}

// PermissionRequest comes in camel case, and with --allow-all, too.
func TestCopilotPermissionRequest(t *testing.T) {
	ctx, o := copilot(t, removing, "  - { name: asked, event: PermissionRequest, argv: [./hooks/handler, PermissionRequest] }")
	must(t, o.Answer("PermissionRequest", `hook '{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"not you"}}'`))
	verify(ctx, t, o, exits(0), dispatched("PermissionRequest", 1), field("PermissionRequest", 0, is("Bash"), "tool_name"),
		field("PermissionRequest", 0, is("rmdir hooks/victim"), "tool_input", "command"), there("hooks/victim"),
		result(0, is("Permission denied by a PermissionRequest hook: not you")))
}

// In a folder that nobody trusts no hook of the project runs.
func TestCopilotUntrusted(t *testing.T) {
	ctx, o := copilot(t, removing)
	must(t, os.Remove(filepath.Join(o.Home, ".copilot", "config.json")))
	verify(ctx, t, o, exits(0), gone("hooks/victim"), check{what: "no handler runs", test: func(o *outcome) error {
		return same(strings.Join(labels(o), " "), "")
	}})
}

// Facts that the descriptor rests on: what Copilot makes of a hook before a tool that does not answer properly.
func TestCopilotPolarity(t *testing.T) {
	const deny = `{"permissionDecision":"deny","permissionDecisionReason":"WHY"}`
	errored := `Denied by preToolUse hook from ".github/hooks/lorimer.json" (hook errored)`
	for name, c := range map[string]struct{ sh, want string }{
		"exit 1":                       {"exit 1", errored},
		"missing":                      {"", errored},
		"exit 2 loses what stderr has": {"echo WHY >&2; exit 2", "Denied by preToolUse hook: hook exited with code 2"},
		"exit 2 with JSON":             {"echo '" + deny + "'; exit 2", "Denied by preToolUse hook: WHY"},
		"progress takes the answer":    {`echo '{"type":"progress","message":"x"}'; echo '` + deny + `'`, ""},
		"time is up":                   {"sleep 30", ""},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, o := copilot(t, removing)
			entry := map[string]any{"type": "command", "exec": "/bin/sh", "args": []string{"-c", c.sh}, "timeoutSec": 1}
			if c.sh == "" {
				entry = map[string]any{"type": "command", "exec": "/nowhere/at/all"}
			}
			b, err := json.Marshal(map[string]any{"version": 1, "hooks": map[string]any{"PreToolUse": []any{entry}}})
			must(t, err, os.Remove(filepath.Join(o.Clone, localSettings)))
			overwrite(t, o, copilotHooks, string(b))
			if c.want == "" {
				verify(ctx, t, o, gone("hooks/victim"))
			} else {
				verify(ctx, t, o, there("hooks/victim"), result(0, is(c.want)))
			}
		})
	}
}

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

// codexWorld makes a world for Codex with handlers for more events; with prepare it is materialized first.
func codexWorld(t *testing.T, script fakemodel.Script, events ...string) (context.Context, *outcome) {
	t.Helper()
	need(t)
	t.Parallel()
	var more []string
	for _, e := range events {
		more = append(more, fmt.Sprintf("  - { name: %s, event: %s, argv: [./hooks/handler, %s] }", strings.ToLower(e), e, e))
	}
	o := &outcome{mode: rig.Codex.Modes[0]}
	o.Rig = world(t, rig.Codex, script, rig.Handlers(more...))
	victim(t, o.Rig)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	must(t, materialize(ctx, o.Rig))
	return ctx, o
}

// run runs Codex once, with more arguments.
func (o *outcome) run(ctx context.Context, t *testing.T, args ...string) {
	t.Helper()
	must(t, once(ctx, o, rig.Options{Args: args}))
	o.log = o.Model.Requests()
}

// A patch is a call for each of its files: Write of one that it makes, Edit of others. Its text stays where it is, and another one can
// be put in its place. Guards of either tool hold it back, however its lines are spelt.
func TestCodexPatches(t *testing.T) {
	const patch = "*** Begin Patch\n*** Add File: a b.txt\n+hello\n*** Delete File: old.txt\n*** End Patch"
	ctx, o := codexWorld(t, fakemodel.Steps(
		fakemodel.Use("apply_patch", patch),
		rig.Codex.Patch("blocked.txt", "no"),
		rig.Codex.Patch("first.txt", "one"),
		fakemodel.Say("done"),
	))
	must(t, os.WriteFile(filepath.Join(o.Clone, "old.txt"), []byte("old\n"), 0o600))
	must(t, o.Answer("PreToolUse", `grep -q blocked "$payload" && block NO
grep -q first.txt "$payload" && hook '{"updatedInput":{"command":"*** Begin Patch\n*** Add File: second.txt\n+two\n*** End Patch","file_path":"'"$PWD"'/first.txt"}}'`))
	o.run(ctx, t)
	both := listOf("a b.txt", "old.txt")
	o.holds(t, exits(0), there("a b.txt"), gone("old.txt"), gone("blocked.txt"), gone("first.txt"), there("second.txt"),
		dispatched("PreToolUse", 4), dispatched("PostToolUse", 3),
		field("PreToolUse", 0, is("Write"), "tool_name"),
		field("PreToolUse", 0, inClone("a b.txt"), "tool_input", "file_path"),
		field("PreToolUse", 0, is("hello\n"), "tool_input", "content"),
		field("PreToolUse", 0, both, "tool_input", "file_paths"),
		field("PreToolUse", 0, is(patch), "tool_input", "command"),
		field("PreToolUse", 1, is("Edit"), "tool_name"),
		field("PreToolUse", 1, inClone("old.txt"), "tool_input", "file_path"),
		absent("PreToolUse", "tool_input", "old_string"),
		field("PreToolUse", 2, inClone("blocked.txt"), "tool_input", "file_path"),
		field("PostToolUse", 0, is("Write"), "tool_name"),
		field("PostToolUse", 1, is("Edit"), "tool_name"),
		field("PostToolUse", 1, both, "tool_input", "file_paths"),
		field("PostToolUse", 2, inClone("second.txt"), "tool_input", "file_path"),
	)
}

// patchGuards are hooks as people have them for Write and Edit, which know nothing of patches.
const patchGuards = `  - { name: on-write, event: PreToolUse, matcher: Write, run: 'if grep -q "\"file_path\":\"$CLAUDE_PROJECT_DIR/kept/"; then echo NOT-THERE >&2; exit 2; fi' }
  - { name: on-content, event: PreToolUse, matcher: "Write|Edit", run: 'if grep -q "\"content\":\"[^\"]*SECRET"; then echo NO-SECRETS >&2; exit 2; fi' }
  - { name: on-rule, event: PreToolUse, if: "Write(rules/**)", run: 'echo BY-RULE >&2; exit 2' }
  - { name: on-globs, event: PreToolUse, matcher: Write, files: ["*.env"], run: 'echo BY-GLOBS >&2; exit 2' }
  - { name: on-edit, event: PreToolUse, if: "Edit(stays/**)", run: 'echo IT-STAYS >&2; exit 2' }`

// guardedPatches are patches that a guard of patchGuards holds back, by what it says, with odd spellings that an agent may pass.
var guardedPatches = []struct{ patch, reason string }{
	{"*** Add File: kept/new.txt\n+x", "NOT-THERE"},
	{"  *** Add File: kept/odd.txt  \n+x", "NOT-THERE"},
	{"*** Add File: fine.txt\n+x\n*** Add File: kept/second.txt\n+y", "NOT-THERE"},
	{"*** Add File: open.txt\n+a\n+SECRET", "NO-SECRETS"},
	{"*** Add File: rules/x/y.txt\n+x", "BY-RULE"},
	{"*** Add File: a/b.env\n+x", "BY-GLOBS"},
	{"*** Delete File: stays/a.txt", "IT-STAYS"},
	{"*** Update File: moved.txt\n*** Move to: stays/b.txt\n@@\n-one\n+two", "IT-STAYS"},
	{"*** Update File: stays/a.txt\n*** Move to: away.txt\n@@\n-one\n+two", "IT-STAYS"},
}

// holdsPatches has each patch asked for, and one behind them that nobody minds.
func holdsPatches(ctx context.Context, t *testing.T, o *outcome, opt rig.Options) {
	t.Helper()
	must(t, os.Mkdir(filepath.Join(o.Clone, "stays"), 0o700))
	for _, f := range []string{"stays/a.txt", "moved.txt"} {
		must(t, os.WriteFile(filepath.Join(o.Clone, f), []byte("one\n"), 0o600))
	}
	must(t, once(ctx, o, opt))
	o.log = o.Model.Requests()
	checks := append(always(exits(0), there("stays/a.txt"), there("moved.txt"), there("passes.txt")), requests(len(guardedPatches)+2))
	for _, f := range []string{"kept/new.txt", "kept/odd.txt", "kept", "fine.txt", "open.txt", "rules", "a", "stays/b.txt", "away.txt"} {
		checks = append(checks, gone(f))
	}
	hold(t, o, checks...)
	for i, g := range guardedPatches {
		if got := o.log.Results(); i >= len(got) || strings.Count(got[i].Text, g.reason) != 1 {
			t.Errorf("%q: the model reads %+v", g.patch, got[min(i, len(got)-1)])
		}
	}
}

func patchSteps(call func(patch string) fakemodel.Step) fakemodel.Script {
	var steps []fakemodel.Step
	for _, g := range guardedPatches {
		steps = append(steps, call("*** Begin Patch\n"+g.patch+"\n*** End Patch"))
	}
	return fakemodel.Steps(append(steps, call("*** Begin Patch\n*** Add File: passes.txt\n+x\n*** End Patch"), fakemodel.Say("done"))...)
}

func TestCodexGuardsOfWriteAndEditHoldPatches(t *testing.T) {
	need(t)
	t.Parallel()
	o := &outcome{mode: rig.Codex.Modes[0]}
	o.Rig = world(t, rig.Codex, patchSteps(func(patch string) fakemodel.Step { return fakemodel.Use("apply_patch", patch) }), rig.Handlers(patchGuards))
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	must(t, materialize(ctx, o.Rig))
	holdsPatches(ctx, t, o, rig.Options{})
}

// Most of its models are given no tools but a script to call them in. Each call inside is gated; the script reads a block as an
// exception, which it may catch, and what was held back stays undone.
func TestCodexCodeMode(t *testing.T) {
	ctx, o := codexWorld(t, fakemodel.Steps(fakemodel.Use("exec", `
let caught = "nothing";
try { await tools.exec_command({ cmd: "rmdir hooks/victim" }); } catch (e) { caught = String(e); }
const ran = await tools.exec_command({ cmd: "echo NESTED" });
text(caught + "\n" + ran.output);`), fakemodel.Say("done")))
	must(t, o.Answer("PreToolUse", `grep -q victim "$payload" && block NO`))
	o.run(ctx, t, "-m", "gpt-6.2-sol")
	o.holds(t, exits(0), requests(2), there("hooks/victim"), dispatched("PreToolUse", 2), dispatched("PostToolUse", 1),
		field("PreToolUse", 0, is("Bash"), "tool_name"), field("PreToolUse", 0, is("rmdir hooks/victim"), "tool_input", "command"),
		reads(2, "Command blocked by PreToolUse hook: NO"), reads(2, "NESTED\n"))
}

// A sub-agent's calls are gated and marked, its end is a gate of its own, and the task that it is given is no prompt of the
// user's. The model is given its tools for sub-agents in a namespace.
func TestCodexSubAgents(t *testing.T) {
	var child string
	var waited bool
	ctx, o := codexWorld(t, func(r fakemodel.Request) fakemodel.Step {
		if strings.Contains(r.Last().Text(), "agent_id") {
			var spawned struct {
				ID string `json:"agent_id"`
			}
			_ = json.Unmarshal([]byte(r.Last().Text()), &spawned) // "" is seen below
			child = spawned.ID
		}
		own := strings.Contains(r.Text(), "THE TASK") && r.Header.Get("Thread-Id") != r.Header.Get("Session-Id")
		switch {
		case own && strings.Contains(r.Text(), "MORE"):
			return fakemodel.Say("child done")
		case own && strings.Contains(r.Last().Text(), "INSIDE"):
			return fakemodel.Say("child early")
		case own:
			return shellOf("echo INSIDE")
		case child == "":
			return fakemodel.Use("multi_agent_v1.spawn_agent", map[string]any{"message": "THE TASK"})
		case !waited:
			waited = true
			return fakemodel.Use("multi_agent_v1.wait_agent", map[string]any{"targets": []string{child}, "timeout_ms": 30000})
		}
		return fakemodel.Say("parent done")
	}, "SubagentStart", "SubagentStop")
	must(t, o.Answer("SubagentStart", `hook '{"additionalContext":"FOR THE CHILD"}'`), o.Answer("SubagentStop", `first_stop && block MORE`))
	o.run(ctx, t)
	o.holds(t, exits(0), dispatched("UserPromptSubmit", 1), dispatched("SubagentStart", 1), dispatched("SubagentStop", 2), dispatched("Stop", 1),
		field("SubagentStop", 0, is("false"), "stop_hook_active"), field("SubagentStop", 1, is("true"), "stop_hook_active"),
		field("SubagentStop", 0, is("child early"), "last_assistant_message"), field("SubagentStop", 1, is("child done"), "last_assistant_message"),
		check{what: "the calls of the child carry its id, with the session of the parent", test: func(o *outcome) error {
			for _, c := range o.Calls("PreToolUse") {
				inside := strings.Contains(c.Payload, "INSIDE")
				if inside != (c.Get("agent_id") == child) || c.Get("session_id") != o.Calls("SessionStart")[0].Get("session_id") {
					return fmt.Errorf("%s", c.Payload)
				}
			}
			return nil
		}},
		check{what: "the child reads its context", test: func(o *outcome) error {
			if _, ok := o.log.First("FOR THE CHILD"); !ok {
				return fmt.Errorf("no request has it")
			}
			return nil
		}})
}

func shellOf(line string) fakemodel.Step {
	return fakemodel.Use("exec_command", map[string]any{"cmd": line})
}

// Facts that the answers are made for: exit code 2 with JSON on stdout alone holds nothing up, nor does an answer with one key
// that Codex does not know; a stop's stdout is nothing, or exactly what it knows.
func TestCodexReadsStrictly(t *testing.T) {
	deny, unknown := `{"decision":"block","reason":"NO"}`, `{"decision":"block","reason":"NO","more":1}`
	for name, c := range map[string]struct {
		event, answer string
		holds         bool
	}{
		"exit 2 and JSON alone":           {"PreToolUse", "printf '" + deny + "'; exit 2", false},
		"exit 2 and standard error":       {"PreToolUse", "echo NO >&2; exit 2", true},
		"exit 0 and JSON":                 {"PreToolUse", "printf '" + deny + "'", true},
		"one unknown key":                 {"PreToolUse", "printf '" + unknown + "'", false},
		"exit 1":                          {"PreToolUse", "echo NO >&2; exit 1", false},
		"stop, JSON":                      {"Stop", `[ "$nth" -gt 1 ] || printf '` + deny + "'", true},
		"stop, one unknown key":           {"Stop", `[ "$nth" -gt 1 ] || printf '` + unknown + "'", false},
		"stop, exit 2 and JSON alone":     {"Stop", `[ "$nth" -gt 1 ] || { printf '` + deny + "'; exit 2; }", false},
		"stop, a text before the JSON":    {"Stop", `[ "$nth" -gt 1 ] || printf 'well\n` + deny + "'", false},
		"stop, exit 2 and standard error": {"Stop", `[ "$nth" -gt 1 ] || { echo NO >&2; exit 2; }`, true},
	} {
		t.Run(name, func(t *testing.T) {
			need(t)
			t.Parallel()
			o := &outcome{mode: rig.Codex.Modes[0]}
			o.Rig = world(t, rig.Codex, fakemodel.Steps(shellOf("rmdir hooks/victim"), fakemodel.Say("early"), fakemodel.Say("done")), "")
			victim(t, o.Rig)
			must(t, o.Answer(c.event, c.answer))
			own := fmt.Sprintf(`{"hooks":{%q:[{"hooks":[{"type":"command","command":"./hooks/handler %s"}]}]}}`, c.event, c.event)
			must(t, os.WriteFile(filepath.Join(o.Home, ".codex", "hooks.json"), []byte(own), 0o600))
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			o.run(ctx, t, "--dangerously-bypass-hook-trust")
			held := there("hooks/victim").test(o) == nil
			if c.event == "Stop" {
				held = len(o.log) == 3
			}
			if held != c.holds || len(o.Calls(c.event)) == 0 {
				t.Errorf("held up: %v, expected %v; hooks that ran: %v; %d requests\n%s", held, c.holds, labels(o), len(o.log), o.exit.Stderr)
			}
		})
	}
}

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
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// qwen makes a world for Qwen Code in its plainest mode, with the script, and prepares it.
func qwen(t *testing.T, script fakemodel.Script, yaml string, prepare ...func(context.Context, *rig.Rig) error) (context.Context, *outcome) {
	t.Helper()
	need(t)
	t.Parallel()
	o := &outcome{mode: rig.Qwen.Modes[0]}
	o.Rig = world(t, rig.Qwen, script, yaml)
	victim(t, o.Rig)
	ctx, cancel := context.WithTimeout(t.Context(), patience(rig.Qwen))
	t.Cleanup(cancel)
	for _, p := range prepare {
		must(t, p(ctx, o.Rig))
	}
	return ctx, o
}

// ownHooks writes a settings file of the project's with hooks that are no business of Lorimer's: event to groups.
func ownHooks(hooks map[string]string) func(context.Context, *rig.Rig) error {
	return func(_ context.Context, r *rig.Rig) error {
		var events []string
		for event, groups := range hooks {
			events = append(events, fmt.Sprintf("%q: [%s]", event, groups))
		}
		file := filepath.Join(r.Clone, ".qwen", "settings.json")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, []byte(`{"$version":4,"hooks":{`+strings.Join(events, ",")+`}}`), 0o644)
	}
}

// ownHook is a group with one command.
func ownHook(matcher, command string, timeout int) string {
	b, _ := json.Marshal(map[string]any{"matcher": matcher, "hooks": []any{map[string]any{"type": "command", "command": command, "timeout": timeout}}})
	return string(b)
}

// What Qwen makes of hooks that do not answer as they should, in one session: all of it lets the call run. So does a block on
// standard output, and a reason on standard error that is JSON. A blocked stop is overruled at its own cap. Timeouts below 1000 are
// seconds, others milliseconds.
func TestQwenPolarity(t *testing.T) {
	ways := map[string]string{
		"exit-1": "exit 1", "exit-3": "exit 3", "silent-2": "exit 2",
		"stdout":   `printf '{"decision":"block","reason":"NO"}'; exit 2`,
		"json":     `printf '{"a":1}' >&2; exit 2`,
		"input":    `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"touch changed"}}}'`,
		"control":  "echo NO >&2; exit 2",
		"control2": `printf '{"decision":"block","reason":"NO"}' >&2; exit 2`,
	}
	var calls []fakemodel.Call
	script := "payload=$(cat)\n"
	for name, sh := range ways {
		calls = append(calls, fakemodel.Use("run_shell_command", map[string]any{"command": "touch " + name}).Calls...)
		script += fmt.Sprintf("case $payload in *'touch %s'*) %s ;; esac\n", name, sh)
	}
	var clone string
	ctx, o := qwen(t, func(r fakemodel.Request) fakemodel.Step {
		if r.Turn == 1 {
			return fakemodel.Step{Calls: append(calls,
				fakemodel.Use("write_file", map[string]any{"file_path": filepath.Join(clone, "missing"), "content": "x"}).Calls[0],
				fakemodel.Use("write_file", map[string]any{"file_path": filepath.Join(clone, "slow"), "content": "x"}).Calls[0])}
		}
		return fakemodel.Say("done")
	}, "version: 1\nharnesses: [qwen]\n", ownHooks(map[string]string{
		"PreToolUse": ownHook("run_shell_command", script, 60) + "," + ownHook("write_file", "/no/such/command", 60) + "," + ownHook("write_file", "grep -q slow && sleep 30", 1),
		"Stop":       ownHook("", "echo again >&2; exit 2", 60),
		"SessionStart": ownHook("", "sleep 4; touch cut-1", 1) + "," + ownHook("", "sleep 4; touch cut-1000", 1000) + "," +
			ownHook("", "sleep 4; touch not-cut", 60),
	}))
	clone = o.Clone
	o.Extra = append(o.Extra, "QWEN_CODE_STOP_HOOK_BLOCK_CAP=3")
	checks := []check{exits(0), gone("control"), gone("control2"), gone("changed"), requests(4), gone("cut-1"), gone("cut-1000"), there("not-cut"), there("missing"), there("slow"),
		{what: "its own cap", test: func(o *outcome) error {
			return oneLine(o.exit.Stderr, "Stop hook blocked continuation 3 consecutive times")
		}},
	}
	for name := range ways {
		if !strings.HasPrefix(name, "control") {
			checks = append(checks, there(name))
		}
	}
	verify(ctx, t, o, checks...)
}

// Whatever an entry asks for, Qwen waits 60 s for a hook and then goes on, which is why a gate's time is less.
func TestQwenWaitsAMinute(t *testing.T) {
	ctx, o := qwen(t, fakemodel.Steps(fakemodel.Use("run_shell_command", map[string]any{"command": "rmdir hooks/victim"}), fakemodel.Say("done")),
		"version: 1\nharnesses: [qwen]\n", ownHooks(map[string]string{"PreToolUse": ownHook("", "sleep 75; echo NO >&2; exit 2", 600)}))
	began := time.Now()
	verify(ctx, t, o, exits(0), gone("hooks/victim"), requests(2))
	if took := time.Since(began); took < 60*time.Second {
		t.Errorf("it waited less: %v", took)
	}
}

// One session through Lorimer: a prompt that comes again, empty, after each round of tools is none, and begins no loop anew; the
// bit stays true over a tool call; what a sub-agent does has its id; a reason that is JSON blocks all the same; and clean finds our
// entries in the file, which Qwen has put its $version into.
func TestQwenSession(t *testing.T) {
	sub := "\n  - name: substart\n    event: SubagentStart\n    argv: [./hooks/handler, SubagentStart]\n  - name: substop\n    event: SubagentStop\n    argv: [./hooks/handler, SubagentStop]\n  - name: failed\n    event: PostToolUseFailure\n    argv: [./hooks/handler, PostToolUseFailure]"
	shell := func(line string) fakemodel.Step {
		return fakemodel.Use("run_shell_command", map[string]any{"command": line})
	}
	ctx, o := qwen(t, fakemodel.Steps(
		shell("rmdir hooks/victim"), // 1: blocked, with a reason that is JSON
		shell("exit 3"),             // 2: fails
		fakemodel.Use("agent", map[string]any{"description": "d", "prompt": "CHILD", "subagent_type": "general-purpose", "run_in_background": false}), // 3
		shell("echo in the child"),                           // 4: the child's
		fakemodel.Say("child"), fakemodel.Say("child again"), // 5, 6: its stop is blocked once
		fakemodel.Say("early"), shell("echo late"), fakemodel.Say("done"), // 7, 8, 9
	), rig.Handlers(sub), materialize)
	must(t, o.Answer("PreToolUse", `grep -q rmdir "$payload" && block '{"a":1}'`),
		o.Answer("Stop", "first_stop && block 'NOT YET'"),
		o.Answer("SubagentStop", "first_stop && block 'CHILD NOT YET'"),
		o.Answer("PostToolUseFailure", "block 'IT FAILED'"))
	file := filepath.Join(o.Clone, ".qwen", "settings.json")
	verify(ctx, t, o, exits(0), requests(9), there("hooks/victim"), result(0, is(`{"a":1}`)),
		dispatched("UserPromptSubmit", 1), dispatched("SubagentStart", 1), dispatched("SubagentStop", 2), dispatched("Stop", 2), dispatched("PostToolUseFailure", 1),
		field("PreToolUse", 0, is("bypassPermissions"), "permission_mode"),
		field("PreToolUse", 1, is(""), "agent_id"),
		field("PreToolUse", 2, is("Task"), "tool_name"),
		field("PreToolUse", 3, is("echo in the child"), "tool_input", "command"),
		field("SubagentStart", 0, is("general-purpose"), "agent_type"),
		field("SubagentStop", 0, is("false"), "stop_hook_active"), field("SubagentStop", 1, is("true"), "stop_hook_active"),
		field("Stop", 0, is("false"), "stop_hook_active"), field("Stop", 1, is("true"), "stop_hook_active"),
		reads(3, "IT FAILED"), reads(6, "CHILD NOT YET"), reads(8, "NOT YET"),
		check{what: "the child's events have its id, and the main agent's none", test: func(o *outcome) error {
			id := o.Calls("SubagentStart")[0].Get("agent_id")
			if id == "" || o.Calls("PreToolUse")[3].Get("agent_id") != id || o.Calls("SubagentStop")[1].Get("agent_id") != id || o.Calls("Stop")[0].Get("agent_id") != "" {
				return fmt.Errorf("the child is %q", id)
			}
			return nil
		}},
		check{what: "Lorimer is taken out of the settings again", test: func(o *outcome) error {
			if err := clean(ctx, o.Rig); err != nil {
				return err
			}
			after, err := os.ReadFile(file)
			if err == nil && (strings.Contains(string(after), "lorimer") || !json.Valid(after)) {
				err = fmt.Errorf("%s", after)
			}
			return err
		}})
}

// Where the user has folders trusted first, hooks of a folder that is not do not run, and nothing says so.
func TestQwenUntrustedFolder(t *testing.T) {
	ctx, o := qwen(t, fakemodel.Steps(fakemodel.Say("done")), rig.Handlers(), materialize)
	file := filepath.Join(o.Home, ".qwen", "settings.json")
	src, err := os.ReadFile(file)
	must(t, err, os.WriteFile(file, []byte(strings.Replace(string(src), `"security":{`, `"security":{"folderTrust":{"enabled":true},`, 1)), 0o600))
	verify(ctx, t, o, exits(0), requests(1), check{what: "nothing is dispatched", test: func(o *outcome) error {
		return same(strings.Join(labels(o), " "), "")
	}})
}

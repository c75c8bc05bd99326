//go:build linux

package e2e

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// newcomer is a project as people have them: a guard, a formatter and a test gate, written for Claude Code, in three of the ways
// in which hooks are written. None of it knows of Lorimer.
var newcomer = map[string]string{
	".claude/settings.json": `{
  "permissions": { "allow": ["Bash(ls:*)"] },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.py", "timeout": 10 }] }
    ],
    "PostToolUse": [
      { "matcher": "Write|Edit|MultiEdit", "hooks": [{ "type": "command", "command": "sed -n 's/.*\"file_path\":\"\\([^\"]*\\)\".*/\\1/p' | { read f; case $f in *.txt) tr a-z A-Z <\"$f\" >\"$f.new\" && mv \"$f.new\" \"$f\";; esac; }" }] }
    ],
    "Stop": [
      { "hooks": [{ "type": "command", "command": "bash .claude/hooks/tests-pass.sh", "timeout": 120 }] }
    ]
  }
}
`,
	".claude/hooks/guard.py": `#!/usr/bin/env python3
import json, re, sys
call = json.load(sys.stdin)
command = call.get("tool_input", {}).get("command", "")
if call["tool_name"] == "Bash" and re.search(r"\brm\s+-rf\b", command):
    print(json.dumps({"hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny",
        "permissionDecisionReason": "keep build/ where it is",
    }}))
`,
	".claude/hooks/tests-pass.sh": `#!/usr/bin/env bash
# Does not let go before the tests ran.
input=$(cat)
case $input in *'"stop_hook_active":true'*) exit 0 ;; esac
if ! ./run-tests >/dev/null 2>&1; then
	echo "the tests are red: make them pass first" >&2
	exit 2
fi
`,
	"run-tests":  "#!/bin/sh\ntest -f green\n",
	"build/keep": "x\n",
}

// onPath puts a program that is called as the agent is where its user's shell finds it.
func onPath(t *testing.T, r *rig.Rig, line string) {
	t.Helper()
	must(t, os.MkdirAll(agents(r), 0o755), os.WriteFile(filepath.Join(agents(r), r.Host.ID), []byte("#!/bin/sh\n"+line+"\n"), 0o755))
}

func agents(r *rig.Rig) string { return filepath.Join(r.Dir, "agents") }

// user is lorimer as somebody starts it in the clone.
func user(ctx context.Context, r *rig.Rig, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "lorimer"), args...)
	cmd.Dir = r.Clone
	cmd.Env = []string{"HOME=" + r.Home, "TMPDIR=" + r.Dir, "PATH=" + agents(r) + ":/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "NODE=" + rig.Pi.Interpreter(install)}
	return cmd
}

// initiate runs lorimer init as a newcomer does: the agents of this machine are on PATH, and nobody edits anything.
func initiate(t *testing.T, ctx context.Context, r *rig.Rig, args ...string) string {
	t.Helper()
	onPath(t, r, "exec '"+strings.Join(r.Host.Argv(install), "' '")+"' \"$@\"")
	out, err := user(ctx, r, append([]string{"init"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("lorimer init: %v\n%s", err, out)
	}
	return string(out)
}

// TestNewcomer: three hooks that somebody has for Claude Code are obeyed by another agent after one command.
func TestNewcomer(t *testing.T) {
	need(t)
	for _, prepared := range []bool{true, false} {
		t.Run(map[bool]string{true: "after init", false: "before it nothing is obeyed"}[prepared], func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			h := rig.Pi
			o := &outcome{mode: h.Modes[0]}
			var script fakemodel.Script
			r, err := rig.New(rig.Config{Install: install, Bin: bin, Host: h, Script: func(q fakemodel.Request) fakemodel.Step { return script(q) }, NoYAML: true, Files: newcomer})
			must(t, err)
			t.Cleanup(func() { must(t, r.Close()) })
			o.Rig = r
			script = fakemodel.Steps(
				shell(o, "rm -rf build"),
				fakemodel.Use(h.Write, map[string]any{h.WritePath: filepath.Join(r.Clone, "notes.txt"), "content": "shout\n"}),
				fakemodel.Say("I am done."),
				shell(o, "touch green"),
				fakemodel.Say("Now I am done."),
			)
			if prepared {
				out := initiate(t, ctx, r, "--yes")
				if strings.Count(out, "  proven  ") != 3 || strings.Contains(out, "NOT PROVEN") {
					t.Errorf("the proof:\n%s", out)
				}
			}
			must(t, once(ctx, o, rig.Options{}), exits(0).test(o))

			settings, err := os.ReadFile(filepath.Join(r.Clone, ".claude", "settings.json"))
			must(t, err)
			if string(settings) != newcomer[".claude/settings.json"] {
				t.Error("the settings were edited")
			}
			_, kept := os.Stat(filepath.Join(r.Clone, "build", "keep"))
			notes, err := os.ReadFile(filepath.Join(r.Clone, "notes.txt"))
			must(t, err)
			_, green := os.Stat(filepath.Join(r.Clone, "green"))
			log := o.Model.Requests()
			for what, holds := range map[string]bool{
				"the guard blocks":              kept == nil,
				"its reason is read":            strings.Contains(log.Text(), "keep build/ where it is"),
				"the formatter runs":            bytes.Equal(notes, []byte("SHOUT\n")),
				"the stop is held":              green == nil,
				"its reason is read by a model": strings.Contains(log.Text(), "the tests are red: make them pass first"),
			} {
				if holds != prepared {
					t.Errorf("%s: %v", what, holds)
				}
			}
		})
	}
}

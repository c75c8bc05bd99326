//go:build linux

package e2e

import (
	"cmp"
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
      { "matcher": "Edit|Write", "hooks": [{ "type": "command", "command": "` + filePath() + ` | { read -r f; case $f in *.txt) tr a-z A-Z <\"$f\" >\"$f.new\" && mv \"$f.new\" \"$f\";; esac; }" }] }
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
    print("keep build/ where it is", file=sys.stderr)
    sys.exit(2)
`,
	".claude/hooks/tests-pass.sh": `#!/usr/bin/env bash
# Does not let go before the tests pass.
if ! ./run-tests >/dev/null 2>&1; then
	echo "the tests are red: make them pass first" >&2
	exit 2
fi
`,
	"run-tests":  "#!/bin/sh\ntest -f green\n",
	"build/keep": "x\n",
}

// filePath is how people read the path that a tool wrote to.
func filePath() string {
	if _, err := exec.LookPath("jq"); err == nil {
		return "jq -r .tool_input.file_path"
	}
	return `sed -n 's/.*\"file_path\":\"\([^\"]*\)\".*/\\1/p'`
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

// newcomers are those agents whose users have one more thing to do after lorimer init, as it says. Nobody edits a hook.
var newcomers = map[*rig.Host][]string{
	rig.Codex:   {"materialize", "--trust"}, // it runs no hook that its user was not asked about
	rig.Copilot: {"import"},                 // it runs the hooks of Claude's settings itself, by other rules, until they are moved
}

// TestNewcomer: three hooks that somebody has for Claude Code are obeyed by each agent after one command.
func TestNewcomer(t *testing.T) {
	need(t)
	for _, h := range rig.Cased {
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			newcomerIn(t, h, func(ctx context.Context, r *rig.Rig) {
				out := initiate(t, ctx, r, "--yes")
				itself := h == rig.Claude || h == rig.Copilot // it runs the hooks of this file, so there is nothing to prove
				if proven := strings.Count(out, "  proven  "); strings.Contains(out, "NOT PROVEN") || proven != 3 && !itself {
					t.Errorf("the proof:\n%s", out)
				}
				more := newcomers[h]
				if more == nil {
					return
				}
				if !strings.Contains(out, "`lorimer "+strings.Join(more, " ")+"`") {
					t.Errorf("lorimer init does not say what is still to do:\n%s", out)
				}
				if out, err := user(ctx, r, more...).CombinedOutput(); err != nil {
					t.Fatalf("lorimer %s: %v\n%s", strings.Join(more, " "), err, out)
				}
			}, true)
		})
	}
}

// TestNewcomerBefore: before that command nothing is obeyed.
func TestNewcomerBefore(t *testing.T) {
	need(t)
	newcomerIn(t, rig.Pi, func(context.Context, *rig.Rig) {}, false)
}

// newcomerIn runs an agent in the project, and wants all hooks to be obeyed, or none.
func newcomerIn(t *testing.T, h *rig.Host, prepare func(context.Context, *rig.Rig), obeyed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience(h))
	defer cancel()
	o := &outcome{mode: h.Modes[0]}
	var script fakemodel.Script
	r, err := rig.New(rig.Config{Install: install, Bin: bin, Host: h, Script: func(q fakemodel.Request) fakemodel.Step { return script(q) }, NoYAML: true, Files: newcomer})
	must(t, err)
	t.Cleanup(func() { must(t, r.Close()) })
	o.Rig = r
	note := filepath.Join(r.Clone, "notes.txt")
	script = fakemodel.Steps(
		shell(o, "rm -rf build"),
		putLine(h, note, "shout"),
		fakemodel.Say("I am done."),
		fakemodel.Say("But I am done."),
		shell(o, "touch green"),
		fakemodel.Say("Now I am done."),
	)
	prepare(ctx, r)
	must(t, once(ctx, o, rig.Options{}), exits(0).test(o))
	o.log = o.Model.Requests()

	_, kept := os.Stat(filepath.Join(r.Clone, "build", "keep"))
	notes, err := os.ReadFile(note)
	must(t, err)
	_, green := os.Stat(filepath.Join(r.Clone, "green"))
	if h != rig.Copilot { // where they were moved
		must(t, holds(settings, newcomer[settings]).test(o))
	}
	for what, holds := range map[string]bool{
		"the guard blocks":                          kept == nil,
		"its reason is read":                        strings.Contains(o.log.Text(), "keep build/ where it is"),
		"the formatter runs, once":                  string(notes) == "SHOUT\n",
		"the stop is held until the tests pass":     green == nil && len(o.log) == 6,
		"the reason of the stop is read by a model": reads(4, "the tests are red: make them pass first").test(o) == nil,
	} {
		if holds != obeyed {
			t.Errorf("%s: %v\n%d requests, the last:\n%s", what, holds, len(o.log), shown(o.log[len(o.log)-1]))
		}
	}
}

// putLine is the call with which a model makes a file of one line.
func putLine(h *rig.Host, path, line string) fakemodel.Step {
	if h.Patch != nil {
		return h.Patch(path, line)
	}
	return fakemodel.Use(h.Write, map[string]any{h.WritePath: path, cmp.Or(h.WriteText, "content"): line + "\n"})
}

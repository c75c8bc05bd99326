//go:build linux

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// published is a project with hooks of the sorts that people publish, each written in one of the ways in which they write them.
var published = map[string]string{
	".claude/settings.json": `{
  "hooks": {
    "SessionStart": [{ "matcher": "startup|resume", "hooks": [{ "type": "command", "command": "echo '# Where we are'; cat harbour.txt" }] }],
    "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": "python3 .claude/hooks/prompts.py" }] }],
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [
        { "type": "command", "command": "bash \"$CLAUDE_PROJECT_DIR/.claude/hooks/dangerous.sh\"" },
        { "type": "command", "command": "sh .claude/hooks/commands.sh" },
        { "type": "command", "if": "Bash(git push *)", "command": "echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"a person pushes\"}}'" }
      ] },
      { "matcher": "Edit|Write|MultiEdit", "hooks": [{ "type": "command", "command": "python3", "args": ["${CLAUDE_PROJECT_DIR}/.claude/hooks/secrets.py"] }] }
    ],
    "PostToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUse\",\"additionalContext\":\"mind the linter\"}}'" }] },
      { "matcher": "Write|Edit", "hooks": [{ "type": "command", "command": "echo changed >> changes.log" }] }
    ],
    "Stop": [
      { "hooks": [{ "type": "command", "command": "python3 .claude/hooks/checklist.py" }] },
      { "hooks": [{ "type": "command", "command": "printf 'ding ' >> bell.log; exit 0" }] }
    ],
    "SessionEnd": [{ "hooks": [{ "type": "command", "command": "echo bye > ended.log" }] }]
  }
}
`,
	"harbour.txt": "the harbour is closed on Mondays\n",
	".claude/hooks/prompts.py": `import json, sys
prompt = json.load(sys.stdin)["prompt"]
with open("prompts.log", "a") as f:
    f.write(json.dumps({"prompt": prompt}) + "\n")
print("today the tide is low")
`,
	".claude/hooks/dangerous.sh": `#!/usr/bin/env bash
set -euo pipefail
payload=$(cat)
if grep -Eq '"command" *: *"[^"]*rm +-[a-z]*r[a-z]*f' <<<"$payload"; then
	echo "BLOCKED: nothing is deleted for good here" >&2
	exit 2
fi
`,
	".claude/hooks/commands.sh": `python3 -c 'import json, sys; print(json.load(sys.stdin)["tool_input"]["command"])' >> commands.log
`,
	".claude/hooks/secrets.py": `#!/usr/bin/env python3
import json, os, sys
path = json.load(sys.stdin).get("tool_input", {}).get("file_path", "")
if os.path.basename(path).startswith(".env"):
    print("secrets are not for you", file=sys.stderr)
    sys.exit(2)
`,
	".claude/hooks/checklist.py": `import json, sys
if json.load(sys.stdin).get("stop_hook_active"):
    sys.exit(0)
print(json.dumps({"decision": "block", "reason": "go through the checklist"}))
`,
	"build/keep": "x\n",
}

// TestPublishedHooks: what hooks of these sorts do in Claude Code they do, after one command, in agents of three kinds.
func TestPublishedHooks(t *testing.T) {
	need(t)
	for _, h := range []*rig.Host{rig.Claude, rig.Pi, rig.Codex, rig.Opencode} {
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			publishedIn(t, h)
		})
	}
}

func publishedIn(t *testing.T, h *rig.Host) {
	ctx, cancel := context.WithTimeout(t.Context(), patience(h))
	defer cancel()
	o := &outcome{mode: h.Modes[0]}
	var script fakemodel.Script
	r, err := rig.New(rig.Config{Install: install, Bin: bin, Host: h, Script: func(q fakemodel.Request) fakemodel.Step { return script(q) }, NoYAML: true, Files: published})
	must(t, err)
	t.Cleanup(func() { must(t, r.Close()) })
	o.Rig = r
	script = fakemodel.Steps(
		shell(o, "rm -rf build"),
		shell(o, "true && git push origin main"),
		putLine(h, filepath.Join(r.Clone, ".env"), "KEY=1"),
		putLine(h, filepath.Join(r.Clone, "notes.txt"), "hello"),
		shell(o, "echo fine"),
		fakemodel.Say("Done."),
		fakemodel.Say("Really done."),
	)
	initiate(t, ctx, r, "--yes")
	if more := newcomers[h]; more != nil {
		out, err := user(ctx, r, more...).CombinedOutput()
		if err != nil {
			t.Fatalf("lorimer %s: %v\n%s", strings.Join(more, " "), err, out)
		}
	}
	must(t, once(ctx, o, rig.Options{}), exits(0).test(o))
	o.log = o.Model.Requests()
	text := func(name string) string {
		src, _ := os.ReadFile(filepath.Join(r.Clone, name)) // none was written then
		return string(src)
	}
	all := o.log.Text()
	for what, holds := range map[string]bool{
		"the context of the session is read":     strings.Contains(all, "the harbour is closed on Mondays"),
		"the prompt is noted":                    strings.Count(text("prompts.log"), "prompt") == 1,
		"what is said to it is read":             strings.Contains(all, "today the tide is low"),
		"the deletion is blocked":                text("build/keep") != "" && strings.Contains(all, "nothing is deleted for good here"),
		"the push is denied":                     strings.Contains(all, "a person pushes"),
		"the secret is not written":              text(".env") == "" && strings.Contains(all, "secrets are not for you"),
		"other files are":                        text("notes.txt") == "hello\n" && text("changes.log") == "changed\n",
		"commands are noted, blocked ones, too":  text("commands.log") == "rm -rf build\ntrue && git push origin main\necho fine\n",
		"the context of a result is read":        strings.Contains(all, "mind the linter"),
		"the stop is held once, and let go then": strings.Contains(all, "go through the checklist") && len(o.log) == 7,
		"the bell rings for each stop":           text("bell.log") == "ding ding ",
		"the end of the session is noted":        text("ended.log") == "bye\n",
	} {
		if !holds {
			t.Errorf("%s: no\n%d requests; commands %q, changes %q, bell %q, ended %q, prompts %q", what, len(o.log), text("commands.log"), text("changes.log"), text("bell.log"), text("ended.log"), text("prompts.log"))
		}
	}
}

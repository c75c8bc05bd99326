//go:build linux

package rig

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// Codex is codex 0.171.0. It runs no hook that it was not told to trust, and files are written to it as patches.
var Codex = &Host{
	ID:      "codex",
	Name:    "Codex",
	Modes:   []string{"print", "json"},
	Formats: []string{"json"},
	Trusts:  true,
	Shell:   "exec_command",
	Says:    []string{"Reading additional input from stdin...", "workdir: ", "/bin/bash -lc ", "ERROR codex_core::", "second line. Command: "},

	ShellKey: "cmd",
	Patch: func(path, content string) fakemodel.Step {
		return fakemodel.Use("apply_patch", "*** Begin Patch\n*** Add File: "+path+"\n+"+content+"\n*** End Patch")
	},

	Manners: Manners{
		Denied:    "Command blocked by PreToolUse hook: {reason}. Command: {line}",
		Continued: "user: <hook_prompt>{xml}</hook_prompt>\n",
		// What hooks gave comes before the results, which have a head of their own, and the former in no order.
		Beside:      map[string]string{"": "developer: {context}\ntool: {result}\n"},
		Order:       AnyLine,
		Around:      regexp.MustCompile(`(?s)Chunk ID: .*?\nOutput:\n`),
		HookRun:     regexp.MustCompile(` hook_run_id="stop:\d+:[^"]*/(\.|agent/)codex/hooks\.json"`),
		Interrupted: 1,
		Chats:       []string{"print"},
		Mutes:       []string{"print", "json"},
	},

	pkg: "@openai/codex-linux-x64",
	exe: func(in Install) []string {
		return []string{filepath.Join(in.Modules, "@openai", "codex-linux-x64", "vendor", "x86_64-unknown-linux-musl", "bin", "codex")}
	},
	args:    codexArgs,
	env:     func(string) []string { return []string{"FAKE_KEY=dummy"} },
	prepare: codexPrepare,
	newest:  codexNewest,
}

func codexArgs(mode string, o Options) []string {
	args := []string{"exec", "--skip-git-repo-check", "-s", "danger-full-access"}
	if mode == "json" {
		args = append(args, "--json")
	}
	args = append(args, o.Args...)
	if o.Fork != "" {
		args = append(args, "fork", o.Fork)
	}
	return append(args, o.Prompt)
}

// codexPrepare makes the fake model a provider. The model is one of those that are offered tools and no script to call them in.
func codexPrepare(home, url string) error {
	dir := filepath.Join(home, ".codex")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "config.toml"), fmt.Appendf(nil, `model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
analytics.enabled = false
feedback.enabled = false
[model_providers.fake]
name = "fake"
base_url = "%s/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
`, url), 0o600)
}

// codexNewest is the id of the newest session: Codex chooses the ids itself.
func codexNewest(home string) string {
	files, _ := filepath.Glob(filepath.Join(home, ".codex", "sessions", "*", "*", "*", "rollout-*.jsonl"))
	if len(files) == 0 {
		return ""
	}
	name := filepath.Base(slices.Max(files)) // their names begin with the time, and end with the id
	return name[len(name)-len("01a22ba5-2c6b-7d72-9ff0-b0b3e26815cd.jsonl") : len(name)-len(".jsonl")]
}

//go:build linux

package rig

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// Copilot is GitHub Copilot CLI 1.0.102, with a model of one's own instead of GitHub's.
var Copilot = &Host{
	ID:        "copilot",
	Name:      "GitHub Copilot CLI",
	Modes:     []string{"print", "json"},
	Formats:   []string{"json"},
	Says:      []string{"Cannot invoke native session after disposal has started"}, // when it is interrupted, now and then
	Slow:      true,
	Shell:     "bash",
	Write:     "create",
	WritePath: "path",
	WriteText: "file_text",
	Ungranted: func(path, from, to string) fakemodel.Step {
		return fakemodel.Use("edit", map[string]any{"path": path, "old_str": from, "new_str": to})
	},
	Asks: true,

	Manners: Manners{
		Denied: "Denied by preToolUse hook: {reason}",
		Beside: map[string]string{
			"PreToolUse":  "tool: {result}\nAdditional context from preToolUse hook:\n{context}\n",
			"PostToolUse": "tool: {result}\n\nTool \"bash\" succeeded. Additional guidance from postToolUse hooks:\n{context}\n",
		},
		Order:         AnyLine, // in one message, and all results before all contexts
		Around:        regexp.MustCompile(`\n<shellId: \d+ completed with exit code \d+>|<current_datetime>[^<]*</current_datetime>\n\n`),
		NoCallID:      true,
		NoLastMessage: true,
		ForkSource:    "resume",
		Resumes:       true,
		Refused:       1,
		Chats:         []string{"print"}, // what the session cost
		Mutes:         []string{"print", "json"},
	},

	pkg: "@github/copilot-linux-x64",
	exe: func(in Install) []string {
		return []string{filepath.Join(in.Modules, "@github", "copilot-linux-x64", "copilot")}
	},
	args:    copilotArgs,
	env:     copilotEnv,
	prepare: copilotPrepare,
}

func copilotArgs(mode string, o Options) []string {
	args := append([]string{"--no-color"}, o.Args...)
	if !o.Ask {
		args = append(args, "--allow-all")
	}
	if mode == "json" {
		args = append(args, "--output-format", "json")
	}
	switch {
	case o.Fork != "": // it has no fork that runs alone: the session goes on
		args = append(args, "--resume="+o.Fork)
	case o.Session != "":
		args = append(args, "--session-id", o.Session)
	}
	return append(args, "-p", o.Prompt)
}

// copilotEnv: offline it neither signs in nor tells anybody anything.
func copilotEnv(url string) []string {
	return []string{
		"COPILOT_OFFLINE=true",
		"COPILOT_AUTO_UPDATE=false",
		"COPILOT_PROVIDER_BASE_URL=" + url + "/v1",
		"COPILOT_PROVIDER_API_KEY=dummy",
		"COPILOT_MODEL=gpt-4.1",
	}
}

// copilotPrepare trusts the project, without which none of its hooks run.
func copilotPrepare(home, _ string) error {
	config, err := json.Marshal(map[string]any{"trusted_folders": []string{filepath.Join(home, "project")}})
	if err != nil {
		return err
	}
	dir := filepath.Join(home, ".copilot")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600)
}

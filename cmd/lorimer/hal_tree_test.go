//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHALOfRealProcesses starts lorimer below processes that have agents' names, with an empty environment: copies of the shell,
// and scripts that node runs.
func TestHALOfRealProcesses(t *testing.T) {
	bin := t.TempDir()
	shell, err := os.ReadFile("/bin/sh")
	if err != nil {
		t.Skip(err)
	}
	lorimer, err := exec.LookPath("lorimer")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"claude", "codex", "claude-helper", "2.1.332"} {
		if err := os.WriteFile(filepath.Join(bin, name), shell, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script := filepath.Join(bin, "node_modules", "@earendil-works", "pi-coding-agent", "dist", "bundle", "cli.js")
	source := `require("child_process").spawnSync("/bin/sh", ["-c", process.argv[2]], { stdio: "inherit", env: {} })`
	for path, text := range map[string]string{script: source, filepath.Join(bin, "other.js"): source} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(script, filepath.Join(bin, "agent")); err != nil {
		t.Fatal(err)
	}
	node, noNode := exec.LookPath("node")
	detect := lorimer + " hal detect; true" // the latter keeps the shell from becoming what it runs
	in := func(name, line string) string {
		return filepath.Join(bin, name) + " -c " + "'" + strings.ReplaceAll(line, "'", `'\''`) + "; true'"
	}
	byNode := func(script string) string { return node + " " + filepath.Join(bin, script) + " '" + detect + "'" }
	for about, c := range map[string]struct {
		line, want string
	}{
		"a copy":                      {in("claude", detect), "claude"},
		"one in the other":            {in("codex", in("claude", detect)), "claude"},
		"the other way round":         {in("claude", in("codex", detect)), "codex"},
		"below a shell below":         {in("claude", "/bin/sh -c '"+detect+"'"), "claude"},
		"a name that begins the same": {in("codex", in("claude-helper", detect)), "codex"},
		"started by another name":     {"exec -a claude " + in("2.1.332", detect), "claude"},
		"a script":                    {in("codex", byNode("node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js")), "pi"},
		"a link to the script":        {in("codex", byNode("agent")), "pi"},
		"another script":              {in("codex", byNode("other.js")), "codex"},
	} {
		if strings.Contains(about, "script") && noNode != nil {
			t.Logf("SKIPPED %s: %v", about, noNode)
			continue
		}
		cmd := exec.Command("/bin/bash", "-c", c.line)
		cmd.Dir, cmd.Env = bin, []string{}
		out, err := cmd.CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != c.want {
			t.Errorf("%s: %v, %s; want %s\n%s", about, err, out, c.want, c.line)
		}
	}
}

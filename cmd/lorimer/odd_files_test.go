//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Where a file is expected something else may lie, which would make whoever opens it wait for ever, or read for ever. No command hangs;
// and where it is a source of hooks it is named.
func TestNoCommandHangsOnWhatIsNoFile(t *testing.T) {
	lorimer, err := exec.LookPath("lorimer")
	if err != nil {
		t.Fatal(err)
	}
	odd := map[string]func(path string) error{
		"a pipe":   func(path string) error { return unix.Mkfifo(path, 0o600) },
		"a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"larger": func(path string) error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(path, 1<<40)
		},
	}
	lines := [][]string{{"init", "--dry-run", "--harness", "claude,pi,codex"}, {"materialize", "--dry-run"}, {"check"}, {"status"}, {"doctor"}, {"import", "--dry-run"}, {"try", "--dry-run", "Stop"}}
	for _, place := range []struct {
		file   string
		source bool
	}{
		{".claude/settings.json", true}, {".claude/settings.local.json", true}, {"lorimer.yaml", true}, {"home/.claude/settings.json", false},
		{".codex/hooks.json", false}, {".lorimer/manifest.json", false}, {".lorimer/owned.json", false}, {"guard", false},
	} {
		for what, put := range odd {
			dir := project(t)
			if place.file == "guard" {
				putFile(t, dir, ".claude/settings.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"sh ./guard"}]}]}}`)
			}
			path := filepath.Join(dir, filepath.FromSlash(place.file))
			_ = os.Remove(path) // there may be none
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := put(path); err != nil {
				t.Fatal(err)
			}
			for _, line := range lines {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				cmd := exec.CommandContext(ctx, lorimer, line...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "HOME="+filepath.Join(dir, "home"), "LORIMER_HOME="+filepath.Join(dir, "state"))
				cmd.WaitDelay = time.Second
				out, _ := cmd.CombinedOutput() // it may be refused
				if ctx.Err() != nil {
					t.Errorf("%s is %s: lorimer %s hangs", place.file, what, strings.Join(line, " "))
				}
				cancel()
				if place.source && line[0] == "init" && (!strings.Contains(string(out), filepath.Base(place.file)) || strings.Contains(string(out), "hooks are")) {
					t.Errorf("%s is %s: lorimer init does not say so:\n%s", place.file, what, out)
				}
			}
		}
	}
}

func putFile(t *testing.T, dir, name, text string) {
	put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
}

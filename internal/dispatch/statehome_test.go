//go:build unix

package dispatch

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// Where nothing can be written down any more, the handlers are asked all the same and what they say holds.
func TestFullStateHome(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /dev/full")
	}
	c := newClone(t).handler(harness.PreToolUse, `touch ran`).handler(harness.PostToolUse, `echo no >&2; exit 2`).handler(harness.Stop, `echo again >&2; exit 2`)
	for _, name := range []string{"log", "last.jsonl"} {
		if err := os.Symlink("/dev/full", filepath.Join(c.home, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"sessions", "receipts", "claims", "off"} {
		c.write(filepath.Join("state", name), "")
	}
	if r := c.run(bash, "native", "PreToolUse"); r.Exit != 0 || r.Stdout != "" || !c.has("ran") {
		t.Errorf("a handler that allows: %+v", r)
	}
	if r := c.run(bash, "native", "PostToolUse"); r.Exit != 2 || !strings.Contains(r.Stderr+r.Stdout, "no") {
		t.Errorf("a handler that blocks: %+v", r)
	}
	if r := c.run(`{"session_id":"s","stop_hook_active":false}`, "native", "Stop"); r.Exit != 2 {
		t.Errorf("the first stop: %+v", r)
	}
	if r := c.run(`{"session_id":"s","stop_hook_active":true}`, "native", "Stop"); r.Exit != 0 || !strings.Contains(r.Stderr, "it cannot be told how often it was blocked") {
		t.Errorf("a stop that cannot be counted: %+v", r)
	}
}

// Without a home there is no record of what was agreed to.
func TestNoHomeAtAll(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `touch ran`)
	for _, name := range []string{"LORIMER_HOME", "HOME", "XDG_STATE_HOME", "LOCALAPPDATA"} {
		t.Setenv(name, "")
	}
	if r := c.run(bash, "native", "PreToolUse"); r.Exit != 0 || !strings.Contains(r.Stderr, "no state home") || c.has("ran") {
		t.Errorf("got %+v", r)
	}
	c.blocked(c.run(bash, "--fail-closed", "native", "PreToolUse"), "no state home", "set LORIMER_HOME")
}

// A clone that was only found must lie on the file system where the work is: what is mounted somewhere has an owner of its own.
func TestBeyondAFileSystem(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `touch ran`)
	deep := filepath.Join(c.root, "mnt", "work")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { deviceOf = device })
	deviceOf = func(dir string) uint64 {
		if strings.HasPrefix(dir, filepath.Join(c.root, "mnt")) {
			return 1
		}
		return 2
	}
	t.Setenv("HOME", filepath.Dir(c.root))
	t.Chdir(deep)
	c.silent(c.runIn(unread{t}, "native", "PreToolUse"))
	c.silent(c.runIn(unread{t}, "--user", "native", "PreToolUse"))
	t.Chdir(c.root)
	c.silent(c.runIn(strings.NewReader(bash), "native", "PreToolUse"))
	if !c.has("ran") {
		t.Error("not run where it is on one file system")
	}
	if _, err := os.Stat(manifest.Path(c.root)); err != nil {
		t.Error(err)
	}
}

package dispatch

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

const showsEnv = `echo "$0: A=$A B=$B C=$C HARNESS=$LORIMER_HARNESS DIR=$CLAUDE_PROJECT_DIR" >>seen`

// What settings give to hooks is over the host's environment and under what is ours to say; the clone's part reaches no handler that
// an organization set.
func TestEnvironmentOfSettings(t *testing.T) {
	c := newClone(t)
	t.Setenv("A", "host")
	t.Setenv("B", "host")
	user := filepath.Join(c.root, "user.json")
	c.write("user.json", `{"env":{"A":"user","B":"user","LORIMER_HARNESS":"no"}}`)
	c.m.Env = []manifest.Env{
		{Path: filepath.ToSlash(user)},
		{Path: ".claude/settings.json", Values: map[string]string{"B": "project", "C": "project", "CLAUDE_PROJECT_DIR": "no"}},
		{Path: filepath.ToSlash(filepath.Join(c.root, "gone.json"))},
	}
	c.handler(harness.Stop, showsEnv)
	c.handler(harness.Stop, showsEnv, order(1), func(h *manifest.Handler) { h.Managed = true })
	c.silent(c.run(`{"hook_event_name":"Stop"}`, "native", "Stop"))
	tail := " HARNESS=native DIR=" + c.root + "\n"
	want := "./hooks/Stop-h0: A=user B=project C=project" + tail + "./hooks/Stop-h1: A=user B=user C=" + tail
	if got := strings.ReplaceAll(c.read("seen"), c.root+"/./hooks", "./hooks"); strings.ReplaceAll(got, c.root+"/hooks", "./hooks") != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	c.write("user.json", `{"env":{"A":"later"}}`)
	c.write("seen", "")
	c.silent(c.run(`{"hook_event_name":"Stop"}`, "native", "Stop"))
	if got := c.read("seen"); strings.Count(got, "A=later") != 2 || strings.Count(got, "B=host") != 1 {
		t.Errorf("the user's own file is read when handlers run: %s", got)
	}
}

// A clone's variables are agreed to like its commands.
func TestEnvironmentIsTrusted(t *testing.T) {
	c := newClone(t)
	c.handler(harness.Stop, ": >ran")
	c.m.Env = []manifest.Env{{Path: ".claude/settings.json", Values: map[string]string{"LD_PRELOAD": "/evil.so"}}}
	c.write(".lorimer/manifest.json", string(c.m.Encode()))
	c.allowedLoudly(c.run(`{"hook_event_name":"Stop"}`, "native", "Stop"), "changed since you agreed")
	if c.has("ran") {
		t.Error("it ran")
	}
}

// A program without a path is looked for where its own environment says.
func TestPathOfSettings(t *testing.T) {
	c := newClone(t)
	tool := c.script("tool", ": >ran")
	c.m.Env = []manifest.Env{{Path: ".claude/settings.json", Values: map[string]string{"PATH": "relative:" + filepath.Dir(filepath.Join(c.root, tool)) + ":/usr/bin:/bin"}}}
	c.handler(harness.Stop, "", argv("tool"))
	c.silent(c.run(`{"hook_event_name":"Stop"}`, "native", "Stop"))
	if !c.has("ran") {
		t.Error("it was not found")
	}
	c.handler(harness.PreToolUse, "", argv("nosuchtool"))
	c.allowedLoudly(c.run(`{"hook_event_name":"PreToolUse","tool_name":"Bash"}`, "native", "PreToolUse"), "nosuchtool", "install it, or name it by its path")
}

func TestOver(t *testing.T) {
	got := over([]string{"A=1", "AB=2", "=C:=x", "D="}, []string{"A=2=3", "B=4"}, []string{"B=5", "D=6", "E="})
	if want := "[A=2=3 AB=2 =C:=x D=6 B=5 E=]"; fmt.Sprint(got) != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

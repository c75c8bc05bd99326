//go:build unix

package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

const started = `{"session_id":"s-1","hook_event_name":"SessionStart","source":"startup"}`

// What hooks export reaches the agent as one object: expanded, of all hooks, without what a shell has of itself.
func TestEnvFile(t *testing.T) {
	t.Setenv("LORIMER_TEST_OLD", "old")
	c := newClone(t)
	c.handler(harness.SessionStart, `echo 'export A=1 B="two words" LORIMER_DEPTH=9' >"$CLAUDE_ENV_FILE"; echo 'C=notexported' >>"$CLAUDE_ENV_FILE"`)
	c.handler(harness.SessionStart, `echo 'export LORIMER_TEST_OLD=old D="$LORIMER_TEST_OLD-$A"; cd /' >>"$CLAUDE_ENV_FILE"`)
	c.handler(harness.SessionStart, `printf 'echo noise\nexport E="x\ny"' >"$CLAUDE_ENV_FILE"`, order(1))
	reply := c.run(started, "able", "SessionStart")
	want := `{"hookSpecificOutput":{"hookEventName":"SessionStart","env":{"A":"1","B":"two words","D":"old-1","E":"x\ny"}}}` + "\n"
	if reply.Stdout != want || reply.Stderr != "" || reply.Exit != 0 {
		t.Errorf("got %+v, want %s", reply, want)
	}
	if left, _ := filepath.Glob(filepath.Join(c.root, "state", "sessions", "s-1", "env-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	// another event's hooks have no such file, and one that writes nothing says nothing
	c = newClone(t).handler(harness.PreToolUse, `echo "${CLAUDE_ENV_FILE-none}" >seen`).handler(harness.SessionStart, `echo "$CLAUDE_ENV_FILE" >seen`)
	c.silent(c.run(started, "able", "SessionStart"))
	if !strings.Contains(c.read("seen"), filepath.Join("sessions", "s-1", "env-")) {
		t.Errorf("its file is %q", c.read("seen"))
	}
	c.silent(c.run(bash, "able", "PreToolUse"))
	if got := c.read("seen"); got != "none\n" {
		t.Errorf("before a tool the file is %q", got)
	}
}

// A trial, and a session without a name, have the file as well: a hook that writes to it must not fail.
func TestEnvFileOfNoSession(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	write := `echo 'export A=1' >>"$CLAUDE_ENV_FILE" && : >ran`
	c := newClone(t).handler(harness.SessionStart, write)
	if reply := c.run(`{"hook_event_name":"SessionStart"}`, "able", "SessionStart"); !strings.Contains(reply.Stdout, `"env":{"A":"1"}`) || !c.has("ran") {
		t.Errorf("without a session: %+v", reply)
	}
	c = newClone(t).handler(harness.SessionStart, write)
	v, err := manifest.Parse(c.m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	tried, err := Try(t.Context(), Question{Table: rows(), Harness: rowOf(t, "able"), Event: harness.SessionStart, Root: c.root, Manifest: v, Payload: []byte(started)})
	if err != nil || !c.has("ran") {
		t.Errorf("a trial: %+v, %v", tried, err)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "env-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestEnvFileIsLost(t *testing.T) {
	c := newClone(t).handler(harness.SessionStart, `echo 'export A=1' >>"$CLAUDE_ENV_FILE"`)
	c.allowedLoudly(c.run(started, "native", "SessionStart"), "CLAUDE_ENV_FILE", "takes no variables", "is lost")
	c = newClone(t).handler(harness.SessionStart, `echo 'exit 3' >>"$CLAUDE_ENV_FILE"`)
	c.allowedLoudly(c.run(started, "able", "SessionStart"), "CLAUDE_ENV_FILE", "is lost", "exit status 3")
	// where the host gave one, it is the host's
	c = newClone(t).handler(harness.SessionStart, `echo 'export A=1' >>"$CLAUDE_ENV_FILE"`)
	own := filepath.Join(c.root, "own")
	t.Setenv("CLAUDE_ENV_FILE", own)
	c.silent(c.run(started, "native", "SessionStart"))
	if src, err := os.ReadFile(own); err != nil || string(src) != "export A=1\n" {
		t.Errorf("the host's own file has %q, %v", src, err)
	}
}

//go:build linux

package dispatch

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// process is a dispatcher as hosts start it.
func process(c *clone, args ...string) *exec.Cmd {
	c.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	cmd := exec.Command(exe, append([]string{"--root", c.root}, args...)...)
	cmd.Env = append(os.Environ(), "TEST_AS_DISPATCHER=1")
	return cmd
}

func TestProcess(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`)
	cmd := process(c, "native", "PreToolUse")
	var stdout, stderr strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(bash), &stdout, &stderr
	_ = cmd.Run()
	if cmd.ProcessState.ExitCode() != 2 || stdout.String() != `{"decision":"block","reason":"no"}`+"\n" || stderr.String() != "no\n" {
		t.Errorf("%v, %q, %q", cmd.ProcessState, stdout.String(), stderr.String())
	}
}

// A host that gives up ends the dispatcher, kindly or not; what handlers it had started ends with it.
func TestProcessIsEnded(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			hang := `sleep 60 & echo $! > child; echo $$ > pid; wait`
			if sig == syscall.SIGKILL {
				hang = `echo $$ > pid; exec sleep 60` // only the handler itself can be bound to our end
			}
			c := newClone(t).handler(harness.PreToolUse, hang)
			cmd := process(c, "native", "PreToolUse")
			var stderr strings.Builder
			cmd.Stdin, cmd.Stderr = strings.NewReader(bash), &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(5 * time.Second); c.read("pid") == "" && time.Now().Before(end); {
				time.Sleep(5 * time.Millisecond)
			}
			time.Sleep(2 * tick) // it has begun to listen for signals
			_ = cmd.Process.Signal(sig)
			_ = cmd.Wait()
			if sig != syscall.SIGKILL {
				ends(t, c, "pid", "child")
				if cmd.ProcessState.ExitCode() != 0 || !strings.Contains(stderr.String(), "the host ended lorimer-dispatch") {
					t.Errorf("%v, %q", cmd.ProcessState, stderr.String())
				}
				return
			}
			ends(t, c, "pid")
		})
	}
}

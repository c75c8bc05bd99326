//go:build unix

package dispatch

import (
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// An async handler leads a session of its own: a host that ends its own, or closes its terminal, does not end it.
func TestAsyncHandlersHaveASessionOfTheirOwn(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `echo $$ >pid.new; mv pid.new pid; sleep 30`, async)
	c.silent(c.run(bash, "native", "PreToolUse"))
	for range 100 {
		if c.has("pid") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(c.read("pid")))
	if err != nil || pid < 2 {
		t.Fatalf("it was not started: %v", err)
	}
	defer func() { _ = syscall.Kill(-pid, syscall.SIGKILL) }() // its own group, with its sleep
	if sid, err := unix.Getsid(pid); sid != pid {
		defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
		t.Errorf("its session is %d, its process %d (%v)", sid, pid, err)
	}
}

//go:build unix

package dispatch

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// unclosed is a pipe that holds a text and is not closed before the test's end.
func unclosed(t *testing.T, text string) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	if _, err := w.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return r
}

// A host that never closes stdin: a payload that is whole is served, any other is a fault; both within the host's limit.
func TestStdinThatNeverCloses(t *testing.T) {
	slow(t)
	c := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`)
	begin := time.Now()
	c.blocked(c.runIn(unclosed(t, bash), "--root", c.root, "quick", "PreToolUse"), "no")
	if d := time.Since(begin); d > 1500*time.Millisecond {
		t.Errorf("took %v of the host's 2 s", d)
	}
	if !strings.Contains(c.log(), "the quick host did not close stdin") {
		t.Errorf("log: %q", c.log())
	}
	for _, half := range []string{"", bash[:20]} {
		c := newClone(t).handler(harness.PreToolUse, `touch ran`)
		c.allowedLoudly(c.runIn(unclosed(t, half), "--root", c.root, "quick", "PreToolUse"), "not whole after 750ms")
		c.blocked(c.runIn(unclosed(t, half), "--root", c.root, "--fail-closed", "quick", "PreToolUse"), "not whole after")
		c.handler(harness.PreToolUse, `touch ran`, onErrorBlock)
		c.blocked(c.runIn(unclosed(t, half), "--root", c.root, "quick", "PreToolUse"), "not whole after")
		if c.has("ran") {
			t.Error("a handler ran")
		}
	}
}

// What slow writers write in parts is read to its end.
func TestSlowStdin(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `cat > got`)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		for i := range bash {
			_, _ = w.WriteString(bash[i : i+1])
			if i%30 == 0 {
				time.Sleep(5 * time.Millisecond)
			}
		}
		w.Close()
	}()
	c.silent(c.runIn(r, "--root", c.root, "native", "PreToolUse"))
	if c.read("got") != bash {
		t.Errorf("got %q", c.read("got"))
	}
}

// A handler that the host's limit cuts short, in a real run: on_limit holds, against on_error either way.
func TestOnLimitHolds(t *testing.T) {
	slow(t)
	for _, p := range []manifest.Policy{manifest.AllowOnFault, manifest.BlockOnFault} {
		c := newClone(t).handler(harness.PreToolUse, `sleep 60`, timeout(time.Minute), func(h *manifest.Handler) {
			h.OnLimit, h.OnError = p, map[bool]manifest.Policy{true: manifest.BlockOnFault, false: manifest.AllowOnFault}[p == manifest.AllowOnFault]
		})
		got := c.run(bash, "quick", "PreToolUse")
		if p == manifest.BlockOnFault {
			c.blocked(got, "handler h0", "no answer within 1.")
		} else {
			c.allowedLoudly(got, "handler h0", "no answer within 1.")
		}
	}
}

package dispatch

import (
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

func async(h *manifest.Handler) { h.Async = true }

// An async handler gets the payload, holds nothing up, and what it says is not heard.
func TestAsync(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `cat > seen; sleep 1; echo late > done; exit 2`, async)
	began := time.Now()
	c.silent(c.run(bash, "native", "PreToolUse"))
	if took := time.Since(began); took > 800*time.Millisecond {
		t.Errorf("held up for %v", took)
	}
	for range 100 {
		if c.has("done") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if !c.has("done") || c.read("seen") != bash {
		t.Errorf("done: %v, payload %q", c.has("done"), c.read("seen"))
	}
}

// One that cannot be started is a fault like any other: allowed, and loud.
func TestAsyncThatCannotStart(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, "", argv("./hooks/missing"), async)
	c.allowedLoudly(c.run(bash, "native", "PreToolUse"), "h0", "hooks/missing")
}

func TestIf(t *testing.T) {
	for rule, fits := range map[string]bool{"Bash(true)": true, "Bash(rm *)": false, "Bash": true, "Write(*.go)": false} {
		c := newClone(t).handler(harness.PreToolUse, "touch ran", func(h *manifest.Handler) { h.If = rule })
		c.silent(c.run(`{"session_id":"s","tool_name":"Bash","tool_input":{"command":"true"}}`, "native", "PreToolUse"))
		if c.has("ran") != fits {
			t.Errorf("%s: ran %v", rule, c.has("ran"))
		}
	}
	c := newClone(t).handler(harness.PostToolUse, "touch ran", func(h *manifest.Handler) { h.If = "Write(src/*.go)" })
	c.silent(c.run(`{"cwd":"`+c.root+`","tool_name":"Write","tool_input":{"file_path":"src/a.go"}}`, "native", "PostToolUse"))
	if !c.has("ran") {
		t.Error("a file that fits")
	}
	c = newClone(t).handler(harness.SessionStart, "touch ran", func(h *manifest.Handler) { h.If = "startup" }).
		handler(harness.Stop, "touch ran", func(h *manifest.Handler) { h.If = "Bash" })
	c.silent(c.run(`{"session_id":"s","source":"startup"}`, "native", "SessionStart"))
	c.silent(c.run(`{"session_id":"s"}`, "native", "Stop"))
	if c.has("ran") {
		t.Error("ran at an event that is no tool call")
	}
}

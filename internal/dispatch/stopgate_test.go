package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// stop dispatches a stop of a session and returns the reply and the bit that the handler saw.
func (c *clone) stop(harnessID, payload string) (harness.Reply, string) {
	c.t.Helper()
	os.Remove(filepath.Join(c.root, "bit"))
	reply := c.run(payload, harnessID, "Stop")
	return reply, strings.TrimSpace(c.read("bit"))
}

// never is a gate that cannot be satisfied; it notes the bit.
const never = `sed -n 's/.*"stop_hook_active":\([a-z]*\).*/\1/p' > bit; echo "run the tests" >&2; exit 2`

// A gate that never passes ends after the cap, loudly, and holds again for the next prompt.
func TestGateThatNeverPasses(t *testing.T) {
	for _, limit := range []int{1, 3, 8} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			c := newClone(t)
			c.m.MaxContinuations = limit
			c.handler(harness.Stop, never)
			c.handler(harness.UserPromptSubmit, `true`)
			for round := range 2 {
				for i := range limit {
					reply, bit := c.stop("native", `{"session_id":"s"}`)
					c.blocked(reply, "run the tests")
					if want := fmt.Sprint(i > 0); bit != want {
						t.Errorf("round %d, stop %d: the bit is %s, want %s", round, i, bit, want)
					}
				}
				// It passes, and it passes again for a host that stops twice: nobody is made to go on by it.
				for i, want := range []string{"true", "false", "false"} {
					reply, bit := c.stop("native", `{"session_id":"s"}`)
					c.allowedLoudly(reply, "Stop passes", fmt.Sprintf("blocked %d times", limit), "max_continuations", "run the tests")
					if bit != want {
						t.Errorf("round %d, after the cap, stop %d: the bit is %s, want %s", round, i, bit, want)
					}
				}
				c.run(`{"session_id":"s","prompt":"once more"}`, "native", "UserPromptSubmit")
			}
		})
	}
	t.Run("without a cap", func(t *testing.T) {
		c := newClone(t)
		c.m.MaxContinuations = 0
		c.handler(harness.Stop, never)
		for range 12 {
			reply, _ := c.stop("native", `{"session_id":"s"}`)
			c.blocked(reply, "run the tests")
		}
	})
	t.Run("in a host's own words", func(t *testing.T) {
		c := newClone(t)
		c.m.MaxContinuations = 1
		c.handler(harness.Stop, never)
		if got, bit := c.stop("foreign", `{"conversation":"s"}`); got.Stdout != `{"followup_message":"run the tests"}`+"\n" || got.Exit != 0 || bit != "false" {
			t.Errorf("got %+v, bit %s", got, bit)
		}
		got, bit := c.stop("foreign", `{"conversation":"s","last":"done"}`)
		c.allowedLoudly(got, "Stop passes")
		if bit != "true" {
			t.Errorf("bit %s", bit)
		}
	})
	t.Run("a shim has its own guard", func(t *testing.T) {
		c := newClone(t)
		c.m.MaxContinuations = 1
		c.handler(harness.Stop, never)
		for range 3 {
			reply, bit := c.stop("gen", `{"session_id":"s"}`)
			c.blocked(reply, "run the tests")
			if bit != "" || c.has("state/sessions") {
				t.Errorf("bit %q", bit)
			}
		}
	})
}

// What begins the count anew: a stop that passes, the host's own word that nobody forced this stop, a user's prompt.
func TestWhatResetsTheCount(t *testing.T) {
	gate := func(t *testing.T) *clone {
		c := newClone(t)
		c.m.MaxContinuations = 2
		c.handler(harness.UserPromptSubmit, `touch prompted`)
		return c.handler(harness.Stop, `test -e good && exit 0; `+never)
	}
	counted := func(c *clone) bool { return c.has("state/sessions/s/stop.json") }
	const free = `{"session_id":"s"}`
	t.Run("a stop that passes", func(t *testing.T) {
		c := gate(t)
		c.stop("native", free)
		c.write("good", "")
		if reply, _ := c.stop("native", free); reply.Exit != 0 || counted(c) {
			t.Errorf("got %+v, counted %v", reply, counted(c))
		}
		os.Remove(filepath.Join(c.root, "good"))
		if _, bit := c.stop("native", free); bit != "false" {
			t.Errorf("bit %s", bit)
		}
	})
	t.Run("the host's own bit", func(t *testing.T) {
		c := gate(t)
		for i, own := range []string{"false", "true", "false", "true", "true"} {
			reply, bit := c.stop("native", `{"session_id":"s","stop_hook_active":`+own+`}`)
			if bit != own {
				t.Errorf("stop %d: the host's %s became %s", i, own, bit)
			}
			if i < 4 {
				c.blocked(reply, "run the tests")
			} else {
				c.allowedLoudly(reply, "Stop passes")
			}
		}
	})
	t.Run("the host's own bit, when nothing was counted", func(t *testing.T) {
		if _, bit := gate(t).stop("native", `{"session_id":"s","stop_hook_active":true}`); bit != "true" {
			t.Errorf("bit %s", bit)
		}
	})
	t.Run("a prompt", func(t *testing.T) {
		c := gate(t)
		for range 5 {
			reply, bit := c.stop("native", free)
			c.blocked(reply, "run the tests")
			if bit != "false" {
				t.Errorf("bit %s", bit)
			}
			c.silent(c.run(`{"session_id":"s","prompt":"go on"}`, "native", "UserPromptSubmit"))
		}
		if !c.has("prompted") {
			t.Error("the prompt's handler did not run")
		}
	})
	t.Run("not another session's prompt", func(t *testing.T) {
		c := gate(t)
		c.stop("native", free)
		c.run(`{"session_id":"other","prompt":"go on"}`, "native", "UserPromptSubmit")
		if _, bit := c.stop("native", free); bit != "true" {
			t.Errorf("bit %s", bit)
		}
	})
}

// After the cap nobody was made to go on, so the reason in a prompt is the user's own words.
func TestNoEchoAfterTheCap(t *testing.T) {
	c := newClone(t)
	c.m.MaxContinuations = 1
	c.handler(harness.UserPromptSubmit, `echo x >> prompted`).handler(harness.Stop, never)
	for range 2 {
		c.stop("native", `{"session_id":"s"}`)
	}
	c.run(`{"session_id":"s","prompt":"run the tests"}`, "native", "UserPromptSubmit")
	if c.read("prompted") != "x\n" {
		t.Error("the prompt was taken for ours")
	}
}

// What a handler says to the user beside its block is not lost when the stop passes all the same.
func TestNoticeOfAStopThatPasses(t *testing.T) {
	c := newClone(t)
	call := &call{harness: rows()[0], event: harness.Stop, root: c.root}
	if err := call.stops().write(stopState{count: harness.DefaultMaxContinuations}); err != nil {
		t.Fatal(err)
	}
	got := call.stopGate(harness.Verdict{Blocked: true, Reason: "no", Notice: "look"})
	if got != (harness.Verdict{Notice: "look"}) || len(call.loud) != 1 {
		t.Errorf("got %+v, said %v", got, call.loud)
	}
}

// Where nobody gates stops nothing is kept for them.
func TestNothingIsKeptWithoutAGate(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `true`).handler(harness.UserPromptSubmit, `true`)
	c.silent(c.run(`{"session_id":"s","tool_name":"Bash","tool_input":{}}`, "native", "PreToolUse"))
	c.silent(c.run(`{"session_id":"s","prompt":"p"}`, "native", "UserPromptSubmit"))
	if c.has("state/sessions/s/tools") || c.has("state/sessions/s/stop.json") {
		t.Error("something was kept")
	}
}

// The same reason three times running with no tool call in between lets the next one pass; but only where tool calls are seen.
func TestSameReason(t *testing.T) {
	gate := func(t *testing.T) *clone {
		return newClone(t).handler(harness.PreToolUse, `true`, matcher("Nothing")).handler(harness.Stop, `cat reason >&2; exit 2`)
	}
	tool := func(c *clone, more string) {
		c.t.Helper()
		c.silent(c.run(`{"session_id":"s"`+more+`,"tool_name":"Bash","tool_input":{}}`, "native", "PreToolUse"))
	}
	block := func(c *clone, reason string) {
		c.t.Helper()
		c.write("reason", reason)
		reply, _ := c.stop("native", `{"session_id":"s"}`)
		c.blocked(reply, reason)
	}
	passes := func(c *clone) {
		c.t.Helper()
		reply, _ := c.stop("native", `{"session_id":"s"}`)
		c.allowedLoudly(reply, "3 times for the same reason", "no tool was used", "same")
	}
	t.Run("no tool in between", func(t *testing.T) {
		c := gate(t)
		tool(c, "")
		for range 3 {
			block(c, "same")
		}
		passes(c)
	})
	t.Run("tools were never seen", func(t *testing.T) {
		c := gate(t)
		for range 8 {
			block(c, "same")
		}
	})
	t.Run("a tool in between", func(t *testing.T) {
		c := gate(t)
		for range 8 {
			tool(c, "")
			block(c, "same")
		}
	})
	t.Run("a tool after the third", func(t *testing.T) {
		c := gate(t)
		tool(c, "")
		for range 3 {
			block(c, "same")
		}
		tool(c, "")
		block(c, "same")
	})
	t.Run("a sub-agent's tool is none of ours", func(t *testing.T) {
		c := gate(t)
		tool(c, "")
		for range 3 {
			block(c, "same")
			tool(c, `,"agent_id":"sub"`)
		}
		passes(c)
	})
	t.Run("another reason in between", func(t *testing.T) {
		c := gate(t)
		tool(c, "")
		for _, r := range []string{"same", "same", "same", "other", "same", "same", "same"} {
			block(c, r)
		}
		passes(c)
	})
}

// Each sub-agent and each session is counted for itself; so is, for want of better, a clone whose host names no session.
func TestWhoIsCounted(t *testing.T) {
	gate := func(t *testing.T) *clone {
		c := newClone(t)
		c.m.MaxContinuations = 1
		return c.handler(harness.SubagentStop, never).handler(harness.Stop, never)
	}
	t.Run("sub-agents", func(t *testing.T) {
		c := gate(t)
		for _, who := range []string{`"session_id":"s"`, `"session_id":"s","agent_id":"a"`, `"session_id":"s","agent_id":"../b"`, `"session_id":"t"`} {
			c.blocked(c.run("{"+who+"}", "native", "SubagentStop"), "run the tests")
		}
		for _, who := range []string{`"session_id":"s"`, `"session_id":"s","agent_id":"a"`, `"session_id":"s","agent_id":"../b"`, `"session_id":"t"`} {
			if got := c.run("{"+who+"}", "native", "SubagentStop"); got.Exit != 0 {
				t.Errorf("%s: %+v", who, got)
			}
		}
	})
	t.Run("no session_id", func(t *testing.T) {
		c, other := gate(t), ""
		reply, _ := c.stop("native", `{}`)
		c.blocked(reply, "run the tests")
		entries, _ := os.ReadDir(filepath.Join(c.home, "sessions"))
		for _, e := range entries {
			other += e.Name()
		}
		if !strings.HasPrefix(other, "sha256=") {
			t.Errorf("the count is at %q", other)
		}
		t.Setenv("LORIMER_DEPTH", "1") // a stop that is not ours to judge resets nothing
		c.run(`{}`, "native", "Stop")
		t.Setenv("LORIMER_DEPTH", "")
		reply, bit := c.stop("native", `{}`)
		c.allowedLoudly(reply, "Stop passes")
		if bit != "true" {
			t.Errorf("bit %s", bit)
		}
	})
	t.Run("a session_id that is a path", func(t *testing.T) {
		c := gate(t)
		c.stop("native", `{"session_id":"../../../../x"}`)
		entries, _ := os.ReadDir(filepath.Join(c.home, "sessions"))
		if len(entries) != 1 || !strings.HasPrefix(entries[0].Name(), "sha256=") {
			t.Errorf("got %v", entries)
		}
	})
}

// A stop that is blocked because of a fault is counted like any other: a fault must not hold an agent for ever.
func TestFaultsAreCounted(t *testing.T) {
	for name, c := range map[string]struct{ payload, spoil string }{
		"a payload nobody can read": {"", ""}, "an untrusted manifest": {`{"session_id":"s"}`, "trusted"},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t)
			if c.spoil != "" {
				clone.m.MaxContinuations = 0 // what an untrusted manifest says of the cap counts as little as the rest
			}
			clone.handler(harness.Stop, `true`)
			if c.spoil != "" {
				os.RemoveAll(filepath.Join(clone.home, c.spoil))
			}
			for range 8 {
				clone.blocked(clone.run(c.payload, "--fail-closed", "native", "Stop"), "could not be asked")
			}
			if got := clone.run(c.payload, "--fail-closed", "native", "Stop"); got.Exit != 0 || !strings.Contains(got.Stderr, "Stop passes") {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// Where nothing can be written, nothing can be counted: the first stop is blocked when the host says that it is the first.
func TestStopsThatCannotBeCounted(t *testing.T) {
	c := newClone(t).handler(harness.Stop, never)
	c.write("state/sessions", "a file, where a directory should be")
	reply, _ := c.stop("native", `{"session_id":"s","stop_hook_active":false}`)
	c.blocked(reply, "run the tests")
	for _, payload := range []string{`{"session_id":"s","stop_hook_active":true}`, `{"session_id":"s"}`} {
		reply, _ = c.stop("native", payload)
		c.allowedLoudly(reply, "cannot be told how often", "run the tests")
	}
}

// Damaged state is no state; parallel stops leave whole state.
func TestStopStateOnDisk(t *testing.T) {
	c := newClone(t)
	c.m.MaxContinuations = 0
	c.handler(harness.Stop, `echo again >&2; exit 2`)
	for _, garbage := range []string{"", "{", "[]", `{"count":-5,"same":"x","reason":7}`, `{"count":1e99}`} {
		c.write("state/sessions/s/stop.json", garbage)
		reply, _ := c.stop("native", `{"session_id":"s"}`)
		c.blocked(reply, "again")
		if got := c.read("state/sessions/s/stop.json"); got != `{"count":1,"active":true,"reason":"again","same":1,"tools":0,"echo":true}`+"\n" {
			t.Errorf("after %q: %s", garbage, got)
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { c.run(`{"session_id":"s"}`, "native", "Stop") })
	}
	all.Wait()
	entries, _ := os.ReadDir(filepath.Join(c.home, "sessions", "s"))
	if got := (stops{file: filepath.Join(c.home, "sessions", "s", "stop.json")}).read(); got.count < 2 || got.reason != "again" || len(entries) != 1 {
		t.Errorf("got %+v and %d files", got, len(entries))
	}
}

package dispatch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/receipt"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func TestReceipts(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `sleep 0.03`).handler(harness.PreToolUse, `echo secret >&2; exit 2`).
		handler(harness.PreToolUse, `exit 2`, observer).handler(harness.PreToolUse, `exit 7`).handler(harness.PreToolUse, `true`, matcher("Write"))
	for range 2 {
		c.blocked(c.run(bash, "native", "PreToolUse"))
	}
	type row struct{ count, blocked, faults int }
	got := map[string]row{}
	for _, r := range receipt.Read(c.home, c.root) {
		got[r.Handler] = row{r.Count, r.Blocked, r.Faults}
		if r.Harness != "native" || time.Since(r.Last) > time.Minute {
			t.Errorf("%+v", r)
		}
		if r.Handler == "h0" && r.Quantile(.5) < 30*time.Millisecond {
			t.Errorf("h0 took %v", r.Quantile(.5))
		}
	}
	want := map[string]row{"h0": {2, 0, 0}, "h1": {2, 2, 0}, "h2": {2, 0, 0}, "h3": {2, 0, 2}}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %+v, want %+v", name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("a handler that did not run has a receipt: %v", got)
	}
	files, _ := filepath.Glob(filepath.Join(c.home, "receipts", "*", "*"))
	for _, f := range files {
		if src, _ := os.ReadFile(f); strings.Contains(string(src), "secret") || strings.Contains(string(src), "ls") {
			t.Errorf("%s holds content: %s", f, src)
		}
	}
}

func TestLastDispatches(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`)
	long := strings.Replace(bash, `"ls"`, `"`+strings.Repeat("é", 500)+`"`, 1)
	c.run(long, "native", "PreToolUse")
	c.silentEvent("PostToolUse")
	c.run("{", "native", "PreToolUse")
	t.Setenv("LORIMER_DISABLE", "1")
	c.run(bash, "native", "PreToolUse")
	all := receipt.Last(c.home, 10)
	if len(all) != 3 {
		t.Fatalf("got %+v", all)
	}
	d := all[0]
	if d.Harness != "native" || d.Event != "PreToolUse" || d.Root != c.root || d.Session != "s1" || d.Tool != "Bash" || d.Verdict != "blocked" || d.Why != "no" ||
		len(d.Handlers) != 1 || d.Handlers[0].Name != "h0" || d.Handlers[0].Verdict != "blocked" || d.Millis < d.Handlers[0].Millis {
		t.Errorf("%+v", d)
	}
	if !strings.HasPrefix(long, d.Head) || len(d.Head) < maxHead-4 || len(d.Head) > maxHead {
		t.Errorf("head %q", d.Head)
	}
	if all[1].Verdict != "failed" || !strings.Contains(all[1].Why, "not JSON") || all[2].Verdict != "off" {
		t.Errorf("%+v", all[1:])
	}
}

// silentEvent dispatches an event that no handler wants.
func (c *clone) silentEvent(event string) {
	c.t.Helper()
	if got := c.run(bash, "native", event); got != (harness.Reply{}) {
		c.t.Errorf("got %+v", got)
	}
}

func TestDebug(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `echo out; echo err >&2; exit 3`)
	path := filepath.Join(c.root, "debug.jsonl")
	t.Setenv("LORIMER_DEBUG", path)
	c.allowedLoudly(c.run(bash, "native", "PreToolUse"), "h0")
	var d struct {
		Args    []string
		Payload string
		Verdict string
		Loud    []string
		Reply   harness.Reply
		Ends    []handlerEnd
	}
	if err := json.Unmarshal([]byte(c.read("debug.jsonl")), &d); err != nil {
		t.Fatal(err)
	}
	if d.Payload != bash || d.Args[3] != "PreToolUse" || len(d.Loud) != 1 || !strings.Contains(d.Reply.Stderr, "h0") ||
		len(d.Ends) != 1 || d.Ends[0] != (handlerEnd{"h0", 3, "out\n", "err\n"}) {
		t.Errorf("%+v", d)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

// Somebody who looks for what happened is told, once in a session, that it is written nowhere; the verdict is the same.
func TestDebugIntoNothing(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `test -f pass || { touch pass; echo no >&2; exit 2; }`)
	t.Setenv("LORIMER_DEBUG", filepath.Join(c.root, "gone", "debug.jsonl"))
	for n, want := range []bool{false, true, false} {
		got := c.run(bash, "native", "PreToolUse")
		if (got.Exit == 2) != (n == 0) || strings.Contains(got.Stderr, "LORIMER_DEBUG") != want {
			t.Errorf("event %d: %+v", n, got)
		}
	}
}

// What cannot be written down changes no answer, and a receipt that somebody holds is waited for only briefly.
func TestReceiptsInTheWay(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`)
	c.write("state/last.jsonl/x", "")
	c.write("state/receipts/"+state.CloneName(c.root)+"/native--h0.json/x", "")
	c.blocked(c.run(bash, "native", "PreToolUse"), "no")

	held := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`)
	path := filepath.Join(held.home, "receipts", state.CloneName(held.root), "native--h0.json")
	locked, done := make(chan bool), make(chan bool)
	go state.Edit(path, time.Second, func(old []byte) []byte { close(locked); <-done; return old })
	<-locked
	defer close(done)
	began := time.Now()
	held.blocked(held.run(bash, "native", "PreToolUse"), "no")
	if took := time.Since(began); took > time.Second {
		t.Errorf("it took %v", took)
	}
}

// Which sessions reached us, and with what, is known by event: also where no handler's matcher fits, and not where hooks are
// not trusted. The host's version stands in the receipt where the host says it.
func TestSessionsAndVersion(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `true`).handler(harness.PostToolUse, `true`, matcher("Write"))
	t.Setenv("TEST_VERSION", "v 3-1-4")
	for _, session := range []string{"s1", "s2", "s1"} {
		payload := strings.Replace(bash, `"s1"`, `"`+session+`"`, 1)
		c.run(payload, "versioned", "PreToolUse")
		c.run(payload, "versioned", "PostToolUse")
		c.run(payload, "versioned", "Stop")
	}
	seen := receipt.ReadSeen(c.home, c.root, "versioned")
	if seen.Sessions != 2 || !seen.Came(harness.PreToolUse) || !seen.Came(harness.PostToolUse) || seen.Came(harness.Stop) || seen.Manifest != receipt.Hooks(c.m.Encode()) {
		t.Errorf("%+v", seen)
	}
	if all := receipt.Read(c.home, c.root); len(all) != 1 || all[0].Version != "3.1.4" {
		t.Errorf("%+v", all)
	}
	t.Setenv("TEST_VERSION", "")
	c.run(bash, "versioned", "PreToolUse")
	if all := receipt.Read(c.home, c.root); all[0].Version != "" {
		t.Errorf("a version of before is no version of now: %+v", all)
	}
	os.RemoveAll(filepath.Join(c.home, "trusted"))
	c.run(strings.Replace(bash, `"s1"`, `"s3"`, 1), "versioned", "PreToolUse")
	c.run(bash, "versioned", "Stop")
	if again := receipt.ReadSeen(c.home, c.root, "versioned"); again.Sessions != 2 || again.Came(harness.Stop) {
		t.Errorf("counted without trust: %+v", again)
	}
}

// Old sessions go when one begins or ends, and at no tool call.
func TestOldSessionsAreSwept(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `true`).handler(harness.SessionEnd, `true`)
	old, month := filepath.Join(c.home, "sessions", "old"), time.Now().Add(-40*24*time.Hour)
	if err := os.MkdirAll(old, 0o700); err != nil {
		t.Fatal(err)
	}
	os.Chtimes(old, month, month)
	c.run(bash, "native", "PreToolUse")
	if !c.has("state/sessions/old") {
		t.Error("a tool call waited for it")
	}
	c.try("native", harness.SessionEnd, `{"session_id":"s1","hook_event_name":"SessionEnd"}`)
	if !c.has("state/sessions/old") {
		t.Error("a trial did it")
	}
	c.run(`{"session_id":"s1","hook_event_name":"SessionEnd"}`, "native", "SessionEnd")
	if c.has("state/sessions/old") {
		t.Error("it is still there")
	}
}

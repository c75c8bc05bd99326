package dispatch

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/off"
)

// try asks the clone's handlers in the name of one harness.
func (c *clone) try(id string, event harness.Event, payload string, with ...func(*Question)) Trial {
	c.t.Helper()
	v, err := manifest.Parse(c.m.Encode())
	if err != nil {
		c.t.Fatal(err)
	}
	row := slices.IndexFunc(rows(), func(h *harness.Harness) bool { return h.ID == id })
	q := Question{Table: rows(), Harness: rows()[row], Event: event, Root: c.root, Manifest: v, Payload: []byte(payload)}
	for _, f := range with {
		f(&q)
	}
	t, err := Try(c.t.Context(), q)
	if err != nil {
		c.t.Errorf("%s %s: %v", id, event, err)
	}
	return t
}

// What is tried is what is done: the host is told the same, byte for byte.
func TestTrialIsWhatRunDoes(t *testing.T) {
	const stop = `{"session_id":"s1","hook_event_name":"Stop","stop_hook_active":false}`
	scripts := []string{
		`true`, `echo no >&2; exit 2`, `exit 7`, `echo '{"decision":"block","reason":"r"}'`,
		`echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}'`,
		`echo '{"systemMessage":"m","hookSpecificOutput":{"additionalContext":"c","updatedInput":{"command":"ls -l"}}}'`,
		`echo '{"continue":false,"stopReason":"enough"}'`, `grep -q '"stop_hook_active":true' || { echo "$LORIMER_CAN $LORIMER_HARNESS" >&2; exit 2; }`,
	}
	ids := []string{"native", "gen", "deaf", "scoped", "quick"}
	if testing.Short() {
		ids = ids[:2] // one that is answered in words of its own, and one in the shims'
	}
	for _, script := range scripts {
		for _, id := range ids {
			for event, payload := range map[harness.Event]string{harness.PreToolUse: bash, harness.Stop: stop, harness.Notification: `{"hook_event_name":"Notification"}`} {
				c := newClone(t).handler(event, script)
				trial := c.try(id, event, payload)
				reply := c.run(payload, id, string(event))
				spoken := ""
				for _, line := range trial.Loud {
					spoken += "lorimer: " + line + "\n"
				}
				if reply.Exit == 2 && id != "gen" {
					spoken = "" // stderr is the model's
				}
				trial.Reply.Stderr += spoken
				if trial.Reply != reply {
					t.Errorf("%s, %s %s:\ntried %+v\nrun   %+v", script, id, event, trial.Reply, reply)
				}
			}
		}
	}
}

func TestTrialLeavesNothing(t *testing.T) {
	c := newClone(t).handler(harness.Stop, `env >"$CLAUDE_PROJECT_DIR/env"; echo no >&2; exit 2`, onErrorBlock).
		handler(harness.Stop, `touch bg`, func(h *manifest.Handler) { h.Async = true }).handler(harness.PreToolUse, `exit 9`)
	before := c.names()
	t.Setenv("LORIMER_DEBUG", filepath.Join(c.root, "debug.jsonl"))
	for range 10 { // as often as no stop gate would let it pass
		got := c.try("native", harness.Stop, `{"session_id":"s1","hook_event_name":"Stop"}`)
		if !got.Verdict.Blocked || got.Verdict.Reason != "no" || string(got.Payload) != `{"session_id":"s1","hook_event_name":"Stop","stop_hook_active":false}` {
			t.Errorf("%+v", got)
		}
	}
	c.try("scoped", harness.PreToolUse, bash) // a harness whose events are claimed; a handler that fails is said aloud
	for _, want := range []string{"LORIMER_TRY=1", "LORIMER_HARNESS=native", "LORIMER_DEPTH=1"} {
		if !strings.Contains(c.read("env"), want+"\n") {
			t.Errorf("no %s in the handler's environment", want)
		}
	}
	after := slices.DeleteFunc(c.names(), func(p string) bool { return p == "env" })
	if !slices.Equal(before, after) {
		t.Errorf("before %v\nafter  %v", before, after)
	}
}

// names are all files below the clone, with the state home.
func (c *clone) names() (all []string) {
	_ = filepath.WalkDir(c.root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(c.root, path)
		all = append(all, rel)
		return err
	})
	return all
}

func TestTrialSaysWhyNot(t *testing.T) {
	name := func(n string) func(*manifest.Handler) { return func(h *manifest.Handler) { h.Name = n } }
	shell := func(line string) func(*manifest.Handler) {
		return func(h *manifest.Handler) { h.Argv, h.Run = nil, line }
	}
	c := newClone(t)
	c.handler(harness.PreToolUse, "", name("asked"), shell("exit 2"), order(5)).
		handler(harness.PreToolUse, "", name("twin"), shell("exit 2"), order(5)).
		handler(harness.PreToolUse, "", name("matcher"), shell("true #1"), matcher("Write|Edit")).
		handler(harness.PreToolUse, "", name("if"), shell("true #2"), func(h *manifest.Handler) { h.If = "Bash(rm *)" }).
		handler(harness.PreToolUse, "", name("file"), argv("cat", "{file_path}")).
		handler(harness.PreToolUse, "", name("elsewhere"), shell("true #3"), func(h *manifest.Handler) { h.Harnesses = []string{"gen"} }).
		handler(harness.PreToolUse, "", name("off"), shell("true #4")).
		handler(harness.PreToolUse, "", name("async"), shell("true #5"), func(h *manifest.Handler) { h.Async = true }).
		handler(harness.PreToolUse, "", name("broken"), shell("true #6"), matcher("("))
	switchedOff := func(q *Question) { q.Off = []off.Entry{{Handler: "off", Since: time.Now()}} }
	want := map[string]string{
		"asked": "", "broken": "", "twin": "it is the same command as asked", "matcher": "its matcher Write|Edit does not fit Bash", "if": "its if Bash(rm *) does not fit",
		"file": "no file is touched, and its argv names {file_path}", "elsewhere": "it is not for this agent",
		"off": "handler off off until `lorimer on off`", "async": "it is async: started and not waited for, so it says nothing",
	}
	got := c.try("native", harness.PreToolUse, bash, switchedOff)
	if len(got.Handlers) != len(want) {
		t.Fatalf("%+v", got.Handlers)
	}
	for _, h := range got.Handlers {
		if h.Missed != want[h.Name] {
			t.Errorf("%s: %q, want %q", h.Name, h.Missed, want[h.Name])
		}
		if word := map[string]string{"asked": "blocked", "broken": "failed"}[h.Name]; h.Verdict != word {
			t.Errorf("%s: verdict %q", h.Name, h.Verdict)
		}
	}
	if h := got.Handlers; h[0].Name != "broken" || h[1].Name != "asked" {
		t.Errorf("not in the order in which they count: %+v", h)
	}
	// Only looked: nobody is asked, and nobody has a verdict.
	for _, h := range c.try("native", harness.PreToolUse, bash, switchedOff, func(q *Question) { q.Look = true }).Handlers {
		if h.Verdict != "" || h.Missed != want[h.Name] {
			t.Errorf("looked at %+v", h)
		}
	}
	t.Setenv("LORIMER_DEPTH", "1")
	for _, h := range c.try("native", harness.PreToolUse, bash).Handlers {
		if h.Name == "asked" && !strings.Contains(h.Missed, "not nested: true") {
			t.Errorf("inside of a handler: %+v", h)
		}
	}
}

// A host that runs the hooks by itself asks those that are for all the others, tells them nothing of ours, and gets no reply.
func TestTrialOfAHostThatRunsThemItself(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `[ -z "$LORIMER_HARNESS" ] && [ "$LORIMER_TRY" ] && [ "$CLAUDE_PROJECT_DIR" ] && { echo no >&2; exit 2; }`,
		func(h *manifest.Handler) { h.Harnesses = []string{"gen"} })
	c.m.SelfProtect = true
	got := c.try("native", harness.PreToolUse, bash, func(q *Question) { q.Itself = true })
	if !got.Verdict.Blocked || got.Reply != (harness.Reply{}) || len(got.Handlers) != 1 {
		t.Errorf("%+v", got)
	}
	other := c.try("native", harness.PreToolUse, bash)
	if other.Verdict.Blocked || len(other.Handlers) != 2 || other.Handlers[0].Name != "self_protect" {
		t.Errorf("%+v", other)
	}
}

// A payload in the host's own names is turned into Claude's by the host's own stub.
func TestTrialOfANativePayload(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `grep -q '"tool_name":"Bash"' && { echo no >&2; exit 2; }`).handler(harness.Stop, "exit 2")
	native := func(q *Question) { q.Native = true }
	got := c.try("foreign", harness.PreToolUse, `{"call":{"name":"Bash","args":{}}}`, native)
	if !got.Verdict.Blocked || !strings.Contains(got.Reply.Stdout, `{"permission":"deny","why":"no"}`) || got.Reply.Exit != 2 {
		t.Errorf("%+v", got)
	}
	v, _ := manifest.Parse(c.m.Encode())
	for payload, want := range map[string]string{`{"status":"aborted"}`: "that payload is no Stop of the foreign host", `{`: "not JSON"} {
		_, err := Try(t.Context(), Question{Table: rows(), Harness: rows()[1], Event: harness.Stop, Root: c.root, Manifest: v, Payload: []byte(payload), Native: true})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", payload, err)
		}
	}
}

package dispatch

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
	"github.com/lorimer-dev/lorimer/internal/verdict"
)

// rewriting is a call of a tool at a host that can rewrite its input.
func rewriting(t *testing.T, payload string) *call {
	t.Helper()
	fields, ok := rawjson.ParseObject(payload)
	if !ok {
		t.Fatal("no payload")
	}
	can := []harness.Effect{harness.Block, harness.RewriteInput}
	return &call{
		harness: rows()[0], event: harness.PreToolUse, root: t.TempDir(), payload: []byte(payload), fields: fields,
		binding: harness.Binding{Event: harness.PreToolUse, Can: can},
	}
}

func says(order int, name, script string) manifest.Handler {
	return manifest.Handler{Name: name, Order: order, Run: script, Block: true}
}

// ask asks those of the handlers that the call is the business of.
func (c *call) ask(handlers ...manifest.Handler) []verdict.Part {
	c.handlers = handlers
	return c.runAll(context.Background(), c.selected())
}

func asks(input string) string {
	return `echo '{"hookSpecificOutput":{"updatedInput":` + input + `}}'`
}

// Handlers of a later order judge, and build upon, what will run.
func TestLaterHandlersSeeTheRewrittenInput(t *testing.T) {
	c := rewriting(t, `{ "session_id":"\ud83d", "tool_name":"Write","tool_input" : {"file_path":"/a"},"n":1e400}`)
	parts := c.ask(
		says(1, "a", asks(`{"file_path":"/b","n": 12345678901234567890}`)),
		says(1, "same order", "cat >same"),
		says(2, "b", `cat >later; `+asks(`{"file_path":"/c"}`)),
		manifest.Handler{Name: "d", Order: 3, Argv: []string{"/bin/sh", "-c", `echo "$0 $1" >file`, filePath, projectDir}, Block: true},
	)
	for file, want := range map[string]string{
		"same":  `{ "session_id":"\ud83d", "tool_name":"Write","tool_input" : {"file_path":"/a"},"n":1e400}`,
		"later": `{"session_id":"\ud83d","tool_name":"Write","tool_input":{"file_path":"/b","n":12345678901234567890},"n":1e400}`,
		"file":  "/c " + c.root + "\n",
	} {
		if got, err := os.ReadFile(filepath.Join(c.root, file)); string(got) != want {
			t.Errorf("%s: %v\n got %s\nwant %s", file, err, got, want)
		}
	}
	if v, notes := verdict.Fold(c.binding, parts); v.Input != `{"file_path":"/c"}` || len(notes)+len(c.loud) != 0 {
		t.Errorf("got %+v, said %v %v", v, notes, c.loud)
	}
}

// Two that run at the same time cannot build upon each other: one of them is lost, and that is said.
func TestTwoRewritesOfOneOrder(t *testing.T) {
	c := rewriting(t, `{"tool_name":"Bash","tool_input":{"command":"ls"}}`)
	parts := c.ask(says(0, "a", asks(`{"command":"a"}`)), says(0, "b", asks(`{"command":"b"}`)))
	if v, _ := verdict.Fold(c.binding, parts); v.Input != `{"command":"b"}` {
		t.Errorf("got %+v", v)
	}
	if len(c.loud) != 1 || !strings.Contains(c.loud[0], "a and b rewrote") {
		t.Errorf("said %v", c.loud)
	}
}

// What an observer wants, and what the host cannot carry, does not happen; then nobody is to see it.
func TestInputThatIsNotCarriedIsNotSeen(t *testing.T) {
	c := rewriting(t, `{"tool_name":"X","tool_input":{"a":1}}`)
	watcher := says(0, "a", asks(`{"a":2}`))
	watcher.Block = false
	c.ask(watcher, says(1, "b", "cat >seen"))
	if got, err := os.ReadFile(filepath.Join(c.root, "seen")); string(got) != `{"tool_name":"X","tool_input":{"a":1}}` {
		t.Errorf("%v: %s", err, got)
	}
}

// A rewritten input is put into the host's names once, however often it is asked for; what the host has no name for is said.
func TestRewrittenInputInTheHostsNames(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `echo '{"hookSpecificOutput":{"permissionDecision":"ask","updatedInput":{"file_path":"/b","made":1}}}'`)
	times := 0
	row := &harness.Harness{
		Protocol: harness.Protocol1, ID: "native", Name: "the host", Kind: harness.External, Hooks: &harness.Hooks{},
		Events: []harness.Binding{{Event: harness.PreToolUse, Host: "pre", Can: []harness.Effect{harness.Block, harness.Ask, harness.RewriteInput}}},
		Restore: func(_ harness.In, input string) (string, []string) {
			times++
			return strings.ReplaceAll(input, "file_path", "path"), []string{"made"}
		},
		Answer: func(_ harness.Event, v harness.Verdict) harness.Reply {
			return harness.Reply{Stdout: v.Reason + v.Input}
		},
	}
	reply := Run(t.Context(), Options{
		Args: []string{"--root", c.root, "native", "PreToolUse"}, Table: []*harness.Harness{row},
		Stdin: strings.NewReader(`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/a"}}`),
	})
	if !strings.HasSuffix(reply.Stdout, `{"path":"/b","made":1}`) || !strings.Contains(reply.Stderr, "made cannot be changed in the host") {
		t.Errorf("got %+v", reply)
	}
	if times != 1 {
		t.Errorf("it was put into the host's names %d times", times)
	}
}

// Who is asked about a call is judged by what will run: a guard is asked when the handlers before it made the call its business, and
// not when they took it away; what ran already does not run again.
func TestWhoIsAskedAboutARewrittenCall(t *testing.T) {
	c := rewriting(t, `{"tool_name":"Bash","tool_input":{"command":"ls"}}`)
	note := func(order int, name, rule string) manifest.Handler {
		h := says(order, name, "true "+name+"; echo "+name+" >>asked")
		h.If = rule
		return h
	}
	twin := says(3, "twin", "true twice; echo twice >>asked")
	c.ask(
		says(1, "a", asks(`{"command":"rm x"}`)+`; true`), note(1, "same order", "Bash(rm *)"), note(2, "now", "Bash(rm *)"), note(2, "no more", "Bash(ls)"),
		note(2, "never", "Bash(git *)"), note(3, "any", ""), says(0, "first", "true twice; echo twice >>asked"), twin,
		manifest.Handler{Name: "files", Order: 4, Argv: []string{"/bin/sh", "-c", "echo files >>asked", filePath}},
	)
	if got, err := os.ReadFile(filepath.Join(c.root, "asked")); string(got) != "twice\nnow\nany\n" {
		t.Errorf("%v: asked %q", err, got)
	}
	if c.fields["tool_input"] != `{"command":"rm x"}` {
		t.Errorf("the input is %s", c.fields["tool_input"])
	}
}

// A handler of an organization that is asked only now gets no variable of the clone's.
func TestManagedHandlerOfARewrittenCall(t *testing.T) {
	c := newClone(t)
	c.m.Env = []manifest.Env{{Path: ".claude/settings.json", Values: map[string]string{"OF_THE_CLONE": "yes"}}}
	c.handler(harness.PreToolUse, asks(`{"command":"rm x"}`))
	c.handler(harness.PreToolUse, `echo "got $OF_THE_CLONE" >seen`, order(1), func(h *manifest.Handler) { h.If, h.Managed = "Bash(rm *)", true })
	c.run(bash, "bringing", "PreToolUse")
	if got := c.read("seen"); got != "got \n" {
		t.Errorf("got %q", got)
	}
}

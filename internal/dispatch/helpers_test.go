package dispatch

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// TestMain lets the test binary be the dispatcher, for tests that need a real process.
func TestMain(m *testing.M) {
	if os.Getenv("TEST_AS_DISPATCHER") == "" {
		goleak.VerifyTestMain(m)
		return
	}
	os.Unsetenv("TEST_AS_DISPATCHER")
	reply := Run(context.Background(), Options{Args: os.Args[1:], Stdin: os.Stdin, Table: rows(), Version: "test"})
	os.Stdout.WriteString(reply.Stdout)
	os.Stderr.WriteString(reply.Stderr)
	os.Exit(reply.Exit)
}

// rows are harnesses as no descriptor has them: "native" speaks Claude's payload and has the shim's answer, "foreign" has
// names of its own both ways, "gen" is generative, "quick" has a host limit of 2 s, "broken" has a stub that panics, "bringing" has
// its prompts and tool calls hooked together with its stops, and takes context of a call behind the result alone;
// after a call that failed it fires what it fires after others. "patching" writes files by patches,
// "able" takes variables at a session's start.
func rows() []*harness.Harness {
	events := func(limit time.Duration, more ...harness.Effect) (all []harness.Binding) {
		for _, e := range harness.Events {
			can := append([]harness.Effect{harness.Block, harness.Context}, more...)
			if e == harness.SessionStart || e == harness.SessionEnd || e == harness.Notification {
				can = []harness.Effect{harness.Context}
			}
			all = append(all, harness.Binding{Event: e, Host: string(e), Can: can, Limit: limit})
		}
		return all
	}
	row := func(id string, kind harness.Kind, events []harness.Binding) *harness.Harness {
		h := &harness.Harness{Protocol: harness.Protocol1, ID: id, Name: "the " + id + " host", Kind: kind, Events: events}
		if kind == harness.External {
			h.Hooks = &harness.Hooks{ProjectEnv: []string{"TEST_PROJECT", "TEST_PROJECT_OLD"}}
		}
		return h
	}
	foreign := row("foreign", harness.External, events(600*time.Second, harness.Ask))
	foreign.Normalize = func(event harness.Event, in harness.In, out *harness.Payload) {
		out.Raw("session_id", harness.First(in, "conversation", "session"))
		out.Raw("cwd", harness.First(in, "workspace.roots.0"))
		out.String("hook_event_name", string(event))
		out.Raw("tool_name", in.Raw("call.name"))
		out.Raw("tool_input", in.Raw("call.args"))
		out.Raw("prompt", in.Raw("text"))
		out.Raw("last_assistant_message", in.Raw("last"))
	}
	foreign.Means = func(event harness.Event, in harness.In) harness.Event {
		if event == harness.Stop && in.Raw("status") == `"aborted"` {
			return ""
		}
		return event
	}
	foreign.Answer = func(event harness.Event, v harness.Verdict) harness.Reply {
		switch {
		case v.Blocked && event == harness.Stop:
			return harness.Reply{Stdout: `{"followup_message":` + harness.Quoted(v.Reason) + "}\n"}
		case v.Blocked:
			return harness.Reply{Exit: 77, Stdout: `{"permission":"deny","why":` + harness.Quoted(v.Reason) + "}\n", Stderr: v.Reason + "\n"}
		case v.Ask:
			return harness.Reply{Stdout: `{"permission":"ask","why":` + harness.Quoted(v.Reason) + "}\n"}
		}
		return harness.Reply{}
	}
	broken := row("broken", harness.External, events(0))
	broken.Answer = func(harness.Event, harness.Verdict) harness.Reply { panic("no answer today") }
	versioned := row("versioned", harness.External, events(0))
	versioned.Hooks.Version = &harness.VersionIn{Env: "TEST_VERSION", Match: "^v ([0-9-]+)$"}
	bringing := row("bringing", harness.External, events(0, harness.RewriteInput))
	for i, b := range bringing.Events {
		switch b.Event {
		case harness.Stop:
			bringing.Events[i].Brings = []harness.Event{harness.UserPromptSubmit, harness.PreToolUse}
		case harness.PreToolUse:
			bringing.Events[i].Later, bringing.Events[i].Brings = harness.PostToolUse, []harness.Event{harness.PostToolUse}
		case harness.PostToolUse:
			bringing.Events[i].Turns = []harness.Event{harness.PostToolUseFailure}
		}
	}
	bringing.Means = func(event harness.Event, in harness.In) harness.Event {
		switch {
		case event == harness.PostToolUse && in.Raw("status") == `"unknown"`:
			return ""
		case event == harness.PostToolUse && in.Raw("failed") == "true":
			return harness.PostToolUseFailure
		}
		return event
	}
	capped := row("capped", harness.External, events(0))
	capped.Hooks.StopCap = &harness.StopCap{Stops: 4, Env: "TEST_STOPS"}
	deafToAsk := row("deaf", harness.External, events(0, harness.Ask))
	patching := row("patching", harness.External, events(0, harness.RewriteInput, harness.Allow, harness.RewriteOutput))
	patching.Patches = []harness.Patch{
		{Tool: "Edit", From: "patch", Paths: `^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to): *(.*\S)`, As: "Write", Adds: `^\s*\*\*\* Add File: *(.*\S)`, Line: "+"},
		{Tool: "MultiEdit", From: "text", As: "Write", Adds: `^new (.+)$`, Line: "> "},
	}
	native, gen := row("native", harness.External, events(0)), row("gen", harness.Generative, events(595*time.Second))
	native.Dirs = []harness.Dir{{Tool: "Write", From: "elsewhere"}, {Tool: "Bash", From: "in_dir"}}
	gen.Dirs = native.Dirs
	able := row("able", harness.Generative, events(0))
	for i, b := range able.Events {
		if b.Event == harness.SessionStart {
			able.Events[i].Can = append(b.Can, harness.Env)
		}
	}
	return []*harness.Harness{
		native, foreign, gen,
		row("quick", harness.External, events(2*time.Second)), broken, deafToAsk, scoped(events(0)), chaining(events(0)), reader(events(0)), versioned, bringing, capped, patching, able,
	}
}

// rowOf is one of the rows.
func rowOf(t *testing.T, id string) *harness.Harness {
	t.Helper()
	for _, h := range rows() {
		if h.ID == id {
			return h
		}
	}
	t.Fatalf("there is no row %q", id)
	return nil
}

// clone is a directory with a manifest, and a user who trusts it.
type clone struct {
	t    *testing.T
	root string
	home string // the state home
	m    manifest.Manifest
}

func newClone(t *testing.T) *clone {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &clone{t: t, root: root, home: filepath.Join(root, "state")}
	t.Setenv("LORIMER_HOME", c.home)
	t.Setenv("LORIMER_DEPTH", "")
	c.m = manifest.Manifest{
		Protocol: manifest.Protocol, MaxContinuations: harness.DefaultMaxContinuations,
		Harnesses: []string{"native", "foreign", "gen", "quick", "broken", "deaf", "scoped", "chaining", "reader", "versioned", "bringing", "capped", "patching", "able"}, Events: map[string][]manifest.Handler{},
	}
	return c
}

// handler adds a handler that is a shell script, and materializes. Its place in the list is the order of the calls.
func (c *clone) handler(event harness.Event, script string, with ...func(*manifest.Handler)) *clone {
	c.t.Helper()
	name := fmt.Sprintf("h%d", len(c.m.Events[string(event)]))
	h := manifest.Handler{Name: name, Block: true, OnError: manifest.AllowOnFault}
	if script != "" {
		h.Argv = []string{"./" + c.script(string(event)+"-"+name, script)}
	}
	for _, f := range with {
		f(&h)
	}
	c.m.Events[string(event)] = append(c.m.Events[string(event)], h)
	return c.materialize()
}

// script writes an executable below the clone and returns its relative path.
func (c *clone) script(name, body string) string {
	c.t.Helper()
	rel := filepath.Join("hooks", name)
	path := filepath.Join(c.root, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.t.Fatal(err)
	}
	// No fork may inherit the open file: a script that is open for writing cannot be started.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		c.t.Fatal(err)
	}
	return rel
}

func (c *clone) materialize() *clone {
	c.t.Helper()
	c.write(".lorimer/manifest.json", string(c.m.Encode()))
	if err := trust.Record(c.home, c.root, c.m.Encode()); err != nil {
		c.t.Fatal(err)
	}
	return c
}

func (c *clone) write(rel, text string) {
	c.t.Helper()
	path := filepath.Join(c.root, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// read returns a file below the clone, or "" when it is not there.
func (c *clone) read(rel string) string {
	src, _ := os.ReadFile(filepath.Join(c.root, rel))
	return string(src)
}

func (c *clone) has(rel string) bool {
	_, err := os.Lstat(filepath.Join(c.root, rel))
	return err == nil
}

// run dispatches, with --root, and checks what holds for every answer: 0 or 2, and no loud line beside a block.
func (c *clone) run(payload string, args ...string) harness.Reply {
	c.t.Helper()
	return c.runIn(strings.NewReader(payload), append([]string{"--root", c.root}, args...)...)
}

func (c *clone) runIn(stdin io.Reader, args ...string) harness.Reply {
	c.t.Helper()
	reply := Run(c.t.Context(), Options{Args: args, Stdin: stdin, Table: rows(), Version: "test"})
	if reply.Exit != 0 && reply.Exit != 2 {
		c.t.Errorf("exit %d", reply.Exit)
	}
	if reply.Exit == 2 && strings.Contains(reply.Stderr, "lorimer: ") && !slices.Contains(args, "gen") {
		c.t.Errorf("a loud line in the model's stderr: %q", reply.Stderr)
	}
	return reply
}

func (c *clone) log() string { return c.read("state/log") }

// silent is an answer that lets the event pass and says nothing.
func (c *clone) silent(reply harness.Reply) {
	c.t.Helper()
	if reply != (harness.Reply{}) {
		c.t.Errorf("expected silence, got %+v", reply)
	}
	if log := c.log(); log != "" {
		c.t.Errorf("expected no log, got %s", log)
	}
}

// allowedLoudly is an answer that lets the event pass with exactly one loud line, on stderr and in the log, with all of words.
func (c *clone) allowedLoudly(reply harness.Reply, words ...string) {
	c.t.Helper()
	if reply.Exit != 0 || reply.Stdout != "" {
		c.t.Errorf("not allowed: %+v", reply)
	}
	if strings.Count(reply.Stderr, "\n") != 1 || !strings.HasPrefix(reply.Stderr, "lorimer: ") {
		c.t.Errorf("not one loud line: %q", reply.Stderr)
	}
	for _, w := range words {
		if !strings.Contains(reply.Stderr, w) || !strings.Contains(c.log(), w) {
			c.t.Errorf("%q is not in %q and in the log %q", w, reply.Stderr, c.log())
		}
	}
}

// blocked is the shim's answer for a block with a reason that holds all of words; the reason is also stderr.
func (c *clone) blocked(reply harness.Reply, words ...string) {
	c.t.Helper()
	if reply.Exit != 2 || !strings.HasPrefix(reply.Stdout, `{"decision":"block","reason":"`) {
		c.t.Errorf("not blocked: %+v", reply)
	}
	for _, w := range words {
		if !strings.Contains(reply.Stderr, w) {
			c.t.Errorf("%q is not in the reason %q", w, reply.Stderr)
		}
	}
}

func onErrorBlock(h *manifest.Handler) { h.OnError = manifest.BlockOnFault }
func observer(h *manifest.Handler)     { h.Block = false }
func matcher(m string) func(*manifest.Handler) {
	return func(h *manifest.Handler) { h.Matcher = m }
}
func order(n int) func(*manifest.Handler) { return func(h *manifest.Handler) { h.Order = n } }
func argv(argv ...string) func(*manifest.Handler) {
	return func(h *manifest.Handler) { h.Argv = argv }
}
func timeout(d time.Duration) func(*manifest.Handler) {
	return func(h *manifest.Handler) { h.TimeoutMS = d.Milliseconds() }
}

// bash is the payload of a Bash call.
const bash = `{"session_id":"s1","cwd":"/nowhere","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`

// slow leaves a test that has to sit out seconds to the whole run.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("waits for seconds to pass")
	}
}

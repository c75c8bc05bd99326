//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// gemini makes a world for Gemini in its plainest mode, with the script and the lorimer.yaml.
func gemini(t *testing.T, script fakemodel.Script, yaml string) (context.Context, *outcome) {
	t.Helper()
	need(t)
	t.Parallel()
	o := &outcome{mode: rig.Gemini.Modes[0]}
	o.Rig = world(t, rig.Gemini, script, yaml)
	victim(t, o.Rig)
	ctx, cancel := context.WithTimeout(t.Context(), patience(rig.Gemini))
	t.Cleanup(cancel)
	return ctx, o
}

func geminiShell(line string) fakemodel.Step {
	return fakemodel.Use(rig.Gemini.Shell, map[string]any{"command": line})
}

const onlyStop = "version: 1\nharnesses: [gemini]\nstop_gate: { max_continuations: 2 }\nhandlers:\n" +
	"  - { name: stop, event: Stop, argv: [./hooks/handler, Stop] }\n"

// A command that failed is told from one whose output ends as if it had.
func TestGeminiTellsAStatusFromOutput(t *testing.T) {
	var steps []fakemodel.Step
	for _, line := range []string{
		"echo Exit Code: 7", "echo hi; echo Exit Code: 7", "echo Signal: 9", "true",
		"echo hi; exit 7", "echo Exit Code: 7; exit 7", "echo hi; echo Exit Code: 7; exit 8", "exit 7", "kill -9 $$", "echo Exit Code: 7; kill -9 $$",
	} {
		steps = append(steps, geminiShell(line))
	}
	ctx, o := gemini(t, fakemodel.Steps(append(steps, fakemodel.Say("done"))...), rig.Handlers(on("PostToolUseFailure")))
	must(t, materialize(ctx, o.Rig))
	verify(ctx, t, o, exits(0), dispatched("PreToolUse", 10), dispatched("PostToolUse", 4), dispatched("PostToolUseFailure", 6),
		field("PostToolUse", 3, is("true"), "tool_input", "command"), field("PostToolUseFailure", 0, is("echo hi; exit 7"), "tool_input", "command"))
}

// Its own loop bit is false again after each tool call. With a handler on stops alone the gate ends all the same, since prompts
// and tool calls are seen beside it; and a continuation, which it fires its prompt event for, is none.
func TestGeminiGateEndsAlthoughItsBitForgets(t *testing.T) {
	ctx, o := gemini(t, func(r fakemodel.Request) fakemodel.Step {
		if r.Turn%2 == 1 {
			return geminiShell(fmt.Sprintf("echo round %d", r.Turn))
		}
		return fakemodel.Say("done")
	}, onlyStop)
	must(t, o.Answer("Stop", `block "NOT YET $nth"`), materialize(ctx, o.Rig))
	verify(ctx, t, o, exits(0), dispatched("Stop", 3), requests(6), said("(max_continuations)"),
		field("Stop", 0, is("false"), "stop_hook_active"), field("Stop", 1, is("true"), "stop_hook_active"), field("Stop", 2, is("true"), "stop_hook_active"))
}

// What is in a project that nobody trusts is not run: without a terminal it does not start. With --skip-trust it does, and its
// hooks are passed over without a word; those in the user's own file are not.
func TestGeminiTrust(t *testing.T) {
	for _, c := range []struct {
		name  string
		args  []string
		scope string
		code  int
		stops int
	}{
		{"nobody trusts it", nil, "project", 55, 0},
		{"trust is skipped", []string{"--skip-trust"}, "project", 0, 0},
		{"trust is skipped, and the hooks are the user's", []string{"--skip-trust"}, "user", 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, o := gemini(t, fakemodel.Steps(fakemodel.Say("done")), onlyStop)
			_, err := o.Lorimer(ctx, "materialize", "--scope", c.scope, o.Clone)
			must(t, err, os.Remove(filepath.Join(o.Home, ".gemini", "trustedFolders.json")), once(ctx, o, rig.Options{Args: c.args}))
			must(t, exits(c.code).test(o), dispatched("Stop", c.stops).test(o))
		})
	}
}

// A command that is gone, or that ends with a code of its own, blocks in Gemini, at every event, and a stop for ever. Ours
// does not, unless it has to.
func TestGeminiWithoutItsDispatcher(t *testing.T) {
	for name, spoil := range map[string]func(string) error{
		"gone":    os.Remove,
		"crashes": func(d string) error { return put(d, "#!/bin/sh\nexit 7\n") },
	} {
		for _, policy := range []string{"allow", "block"} {
			t.Run(name+"/"+policy, func(t *testing.T) {
				ctx, o := gemini(t, fakemodel.Steps(geminiShell("rmdir hooks/victim"), fakemodel.Say("done")),
					rig.Handlers("  - name: guard\n    event: PreToolUse\n    argv: [./hooks/handler, PreToolUse]\n    on_error: "+policy))
				must(t, materialize(ctx, o.Rig), spoil(dispatcherOf(t, o.Rig)), once(ctx, o, rig.Options{}), exits(0).test(o))
				o.log = o.Model.Requests()
				if blocked := there("hooks/victim").test(o) == nil; blocked != (policy == "block") {
					t.Errorf("blocked: %v; the model reads %q", blocked, o.log.Results()[0].Text)
				}
				must(t, requests(2).test(o))
			})
		}
	}
}

// One session for what its payloads and answers have to be turned into: a path that it leaves relative, the name of a tool of an
// MCP server, a question that would hang, and a compression that it announces in every turn and never makes.
func TestGeminiInClaudesWords(t *testing.T) {
	ctx, o := gemini(t, fakemodel.Steps(
		fakemodel.Use("read_file", map[string]any{"file_path": "hooks/handler"}),
		fakemodel.Use("mcp_notes_write-note", map[string]any{"text": "x"}),
		geminiShell("rmdir hooks/victim"), fakemodel.Say("done"),
	), rig.Handlers("  - { name: compact, event: PreCompact, argv: [./hooks/handler, PreCompact] }"))
	must(t, os.WriteFile(filepath.Join(o.Clone, "mcp.cjs"), []byte(notesServer), 0o644), addServer(o), materialize(ctx, o.Rig),
		o.Answer("PreToolUse", `grep -q rmdir "$payload" && hook '{"permissionDecision":"ask","permissionDecisionReason":"MAY IT?"}'`))
	verify(ctx, t, o, exits(0), requests(4), dispatched("PreToolUse", 3), dispatched("PreCompact", 0),
		field("PreToolUse", 0, is("Read"), "tool_name"),
		field("PreToolUse", 0, func(o *outcome) string { return filepath.Join(o.Clone, "hooks", "handler") }, "tool_input", "file_path"),
		field("PreToolUse", 1, is("mcp__notes__write-note"), "tool_name"),
		field("PostToolUse", 1, is("mcp__notes__write-note"), "tool_name"),
		there("hooks/victim"),
		check{what: "what is read of the question", test: func(o *outcome) error {
			results := o.log.Results()
			if got := results[len(results)-1].Text; !strings.HasPrefix(got, "Tool execution blocked: ") || !strings.Contains(got, "MAY IT?") {
				return fmt.Errorf("%q", got)
			}
			return nil
		}})
}

// addServer adds an MCP server to the user's own settings.
func addServer(o *outcome) error {
	file := filepath.Join(o.Home, ".gemini", "settings.json")
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var s map[string]any
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	s["mcpServers"] = map[string]any{"notes": map[string]any{
		"command": o.Host.Interpreter(install), "args": []string{filepath.Join(o.Clone, "mcp.cjs")}, "trust": true,
	}}
	if b, err = json.Marshal(s); err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o600)
}

// notesServer has one tool.
const notesServer = `
const tool = { name: "write-note", description: "writes", inputSchema: { type: "object", properties: { text: { type: "string" } } } };
const answers = {
  initialize: (p) => ({ protocolVersion: p.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": () => ({ content: [{ type: "text", text: "NOTED" }] }),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const m = JSON.parse(line);
  if (m.id === undefined) return;
  const answer = answers[m.method];
  const body = answer ? { result: answer(m.params ?? {}) } : { error: { code: -32601, message: "no such method" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: m.id, ...body }) + "\n");
});
`

// It takes another result as one text, with what is said beside it behind.
func TestGeminiTakesOneTextForAResult(t *testing.T) {
	ctx, o := gemini(t, fakemodel.Steps(geminiShell("echo secret"), fakemodel.Say("done")), rig.Handlers())
	must(t, materialize(ctx, o.Rig), o.Answer("PostToolUse", `hook '{"updatedToolOutput":{"stdout":"REDACTED","stderr":""},"additionalContext":"BECAUSE"}'`))
	verify(ctx, t, o, exits(0), result(0, is("REDACTED\n\nBECAUSE")))
}

//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// device is a write to a device, which runs a tool of omp's.
func device(tool string, input any) fakemodel.Step {
	b, _ := json.Marshal(input)
	return fakemodel.Use("write", map[string]any{"path": "xd://" + tool, "content": string(b)})
}

// miniServer is an MCP server with one tool.
const miniServer = `
const answers = {
  initialize: (p) => ({ protocolVersion: p.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "mini", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "ping", description: "Pings", inputSchema: { type: "object", properties: { text: { type: "string" } } } }] }),
  "tools/call": (p) => ({ content: [{ type: "text", text: "PONG " + p.arguments.text }] }),
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]?.(params) ?? {} }));
});
`

// A write to a device fires two calls with one id, its own and that of the tool it runs. Handlers hear of the tool, once.
func TestOmpDevices(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := ompWorld(t, "json", fakemodel.Steps(
		device("bash", map[string]any{"command": "rmdir hooks/victim"}),
		device("mcp__mini_ping", map[string]any{"text": "HEY"}),
		fakemodel.Say("done"),
	))
	node := rig.Pi.Interpreter(install)
	servers, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{"mini": map[string]any{"type": "stdio", "command": node, "args": []string{"mini.cjs"}}}})
	must(t, os.WriteFile(filepath.Join(o.Clone, "mini.cjs"), []byte(miniServer), 0o644),
		os.WriteFile(filepath.Join(o.Clone, ".omp", "mcp.json"), servers, 0o644),
		o.Answer("PreToolUse", `grep -q rmdir "$payload" && block `+quoted(reason)+`; hook '{"additionalContext":"ABOUT ping"}'`))
	ended(ctx, t, o, rig.Options{}, exits(0), quiet(), requests(3), there("hooks/victim"), toolSaid(0, reason), toolSaid(1, "PONG HEY"),
		toolSaid(1, "ABOUT ping"), reads(3, "ABOUT ping"),
		dispatched("PreToolUse", 2), dispatched("PostToolUse", 1),
		field("PreToolUse", 0, is("Bash"), "tool_name"), field("PreToolUse", 0, is("rmdir hooks/victim"), "tool_input", "command"),
		field("PreToolUse", 1, is("mcp__mini_ping"), "tool_name"), field("PostToolUse", 0, is("HEY"), "tool_input", "text"))
}

// The files of an edit stand in its text alone; handlers are shown one a call. A call that fails is told as one that failed.
func TestOmpEdits(t *testing.T) {
	need(t)
	for _, c := range []struct{ name, config, one, two string }{
		{"hashline", "", "[a.txt#0000]\nPUT 1.=1:\nx", "[a.txt#0000]\nPUT 1.=1:\nx\n[b.txt#0000]\nPUT 1.=1:\ny"},
		{"apply_patch", "edit: { mode: apply_patch }\n",
			"*** Begin Patch\n*** Update File: a.txt\n@@\n-gone\n+x\n*** End Patch",
			"*** Begin Patch\n*** Update File: a.txt\n@@\n-gone\n+x\n*** Delete File: b.txt\n*** End Patch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, o := ompWorld(t, "print", fakemodel.Steps(
				fakemodel.Use("edit", map[string]any{"input": c.one}),
				fakemodel.Use("edit", map[string]any{"input": c.two}),
				fakemodel.Say("done"),
			), on("PostToolUseFailure"))
			must(t, os.WriteFile(filepath.Join(o.Clone, ".omp", "config.yml"), []byte(c.config), 0o644))
			must(t, o.Answer("PostToolUseFailure", "block 'A NOTE'"))
			ended(ctx, t, o, rig.Options{}, exits(0), quiet(), requests(3), dispatched("PreToolUse", 3), dispatched("PostToolUse", 0),
				dispatched("PostToolUseFailure", 3), toolSaid(0, "A NOTE"),
				field("PreToolUse", 0, is("Edit"), "tool_name"),
				field("PreToolUse", 0, inClone("a.txt"), "tool_input", "file_path"), field("PreToolUse", 0, listOf("a.txt"), "tool_input", "file_paths"),
				field("PreToolUse", 1, inClone("a.txt"), "tool_input", "file_path"), field("PreToolUse", 1, listOf("a.txt", "b.txt"), "tool_input", "file_paths"),
				field("PreToolUse", 2, inClone("b.txt"), "tool_input", "file_path"))
		})
	}
}

// inClone and listOf are paths as handlers are given them.
func inClone(name string) func(*outcome) string {
	return func(o *outcome) string { return filepath.Join(o.Clone, name) }
}

func listOf(names ...string) func(*outcome) string {
	return func(o *outcome) string {
		all := make([]string, len(names))
		for i, n := range names {
			all[i] = filepath.Join(o.Clone, n)
		}
		text, _ := json.Marshal(all)
		return string(text)
	}
}

// In this form an edit may make files.
func TestOmpGuardsOfWriteAndEditHoldPatches(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := ompWorld(t, "print", patchSteps(func(patch string) fakemodel.Step {
		return fakemodel.Use("edit", map[string]any{"input": patch})
	}), patchGuards)
	must(t, os.WriteFile(filepath.Join(o.Clone, ".omp", "config.yml"), []byte("edit: { mode: apply_patch }\n"), 0o644))
	holdsPatches(ctx, t, o, rig.Options{})
}

// Where the user's settings want to be asked, handlers hear that omp asks; where nobody can be asked it refuses by itself.
func TestOmpApprovals(t *testing.T) {
	need(t)
	for _, mode := range []string{"print", "rpc"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			ctx, o := ompWorld(t, mode, fakemodel.Steps(fakemodel.Use("bash", map[string]any{"command": "rmdir hooks/victim", "i": "intent"}), fakemodel.Say("done")),
				on("PermissionRequest"), on("Notification"))
			must(t, os.WriteFile(filepath.Join(o.Clone, ".omp", "config.yml"), []byte("tools: { approvalMode: always-ask }\n"), 0o644))
			p, err := o.Start(rig.Options{Mode: mode, Prompt: prompt})
			must(t, err)
			talk := mode == rig.Omp.Talk
			if talk {
				must(t, p.Send(map[string]string{"id": "p", "type": "prompt", "message": prompt}), approve(ctx, p), p.Output(ctx, settled))
			}
			o.exit, err = p.Wait(ctx)
			must(t, err)
			notified, left := 0, there("hooks/victim")
			if talk {
				notified, left = 1, gone("hooks/victim")
			}
			hold(t, o, exits(0), quiet(), requests(2), left, dispatched("PreToolUse", 1), dispatched("PermissionRequest", 1), dispatched("Notification", notified),
				field("PermissionRequest", 0, is("Bash"), "tool_name"), field("PermissionRequest", 0, is(`{"command":"rmdir hooks/victim"}`), "tool_input"))
		})
	}
}

// approve waits until omp asks and says yes.
func approve(ctx context.Context, p *rig.Process) error {
	var ask struct{ Type, ID, Method string }
	err := p.Output(ctx, func(lines []string) bool {
		for _, l := range lines {
			if json.Unmarshal([]byte(l), &ask) == nil && ask.Method == "select" {
				return true
			}
		}
		return false
	})
	if err != nil {
		return err
	}
	return p.Send(map[string]string{"type": "extension_ui_response", "id": ask.ID, "value": "Approve"})
}

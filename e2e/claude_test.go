//go:build linux

package e2e

import (
	"bytes"
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

// claude makes a world for Claude in its plainest mode, with the script, and materializes it.
func claude(t *testing.T, script fakemodel.Script, more ...string) (context.Context, *outcome) {
	t.Helper()
	need(t)
	t.Parallel()
	o := &outcome{mode: rig.Claude.Modes[0]}
	o.Rig = world(t, rig.Claude, script, rig.Handlers(more...))
	victim(t, o.Rig)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	if err := materialize(ctx, o.Rig); err != nil {
		t.Fatal(err)
	}
	return ctx, o
}

// verify runs the host once and makes the checks.
func verify(ctx context.Context, t *testing.T, o *outcome, checks ...check) {
	t.Helper()
	if err := once(ctx, o, rig.Options{}); err != nil {
		t.Fatal(err)
	}
	o.log = o.Model.Requests()
	for _, k := range checks {
		if err := k.test(o); err != nil {
			t.Errorf("%s:\n%v", k.what, err)
		}
	}
}

const settings = ".claude/settings.json"

// A user's own hook beside ours is started too, and both get the same bytes: what Claude says is passed on as it is.
func TestClaudePayloadIsClaudesOwn(t *testing.T) {
	ctx, o := claude(t, fakemodel.Steps(
		fakemodel.Use("Bash", json.RawMessage(`{"command":"true","description":"\u00fc \ud83d\udc0e </script> 1e400"}`)),
		fakemodel.Say("done"),
	))
	own := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"cat > \"$E2E/own\""}]}]}}`
	if err := os.WriteFile(filepath.Join(o.Clone, settings), []byte(own), 0o644); err != nil {
		t.Fatal(err)
	}
	verify(ctx, t, o, exits(0), dispatched("PreToolUse", 1), check{what: "both hooks get the same bytes", test: func(o *outcome) error {
		b, err := os.ReadFile(filepath.Join(o.Dir, "e2e", "own"))
		if err != nil {
			return err
		}
		return same(o.Calls("PreToolUse")[0].Payload, string(b))
	}})
}

// A fact that whoever writes to the file has to live with: an entry that Claude cannot read is dropped, silently, and on the
// two events that decide about a tool it takes every hook of the file with it.
func TestClaudeDropsHooksForOneInvalidEntry(t *testing.T) {
	for event, left := range map[string]string{
		"PreToolUse":        "",
		"PermissionRequest": "",
		"Stop":              "SessionStart UserPromptSubmit Stop SessionEnd",
		"PreCompact":        "SessionStart UserPromptSubmit Stop SessionEnd",
	} {
		t.Run(event, func(t *testing.T) {
			ctx, o := claude(t, fakemodel.Steps(fakemodel.Say("done")))
			edit(t, filepath.Join(o.Clone, ".claude", "settings.local.json"), func(hooks map[string]any) {
				groups, _ := hooks[event].([]any)
				hooks[event] = append(groups, map[string]any{"type": "command", "command": "true"}) // without a group around it
			})
			verify(ctx, t, o, exits(0), quiet(), requests(1), check{what: "what is still dispatched", test: func(o *outcome) error {
				return same(strings.Join(labels(o), " "), left)
			}})
		})
	}
}

// edit changes the hooks of a settings file.
func edit(t *testing.T, file string, change func(hooks map[string]any)) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]any
	if err := json.NewDecoder(bytes.NewReader(b)).Decode(&s); err != nil {
		t.Fatal(err)
	}
	change(s["hooks"].(map[string]any))
	if b, err = json.MarshalIndent(s, "", "  "); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Claude has a cap of its own, and it is why ours is needed: it starts again whenever a continuation runs a tool.
func TestClaudesOwnCap(t *testing.T) {
	never := map[bool]string{false: `block "NOT YET $nth"`, true: `[ "$nth" -le 12 ] && block "NOT YET $nth"`}
	for tools, stops := range map[bool]int{false: 9, true: 13} {
		t.Run(fmt.Sprintf("tools %v", tools), func(t *testing.T) {
			ctx, o := claude(t, func(r fakemodel.Request) fakemodel.Step {
				if tools && r.Turn%2 == 1 {
					return fakemodel.Use("Bash", map[string]any{"command": "true"})
				}
				return fakemodel.Say("done")
			}, "stop_gate: { max_continuations: 0 }")
			if err := o.Answer("Stop", never[tools]); err != nil {
				t.Fatal(err)
			}
			verify(ctx, t, o, exits(0), dispatched("Stop", stops))
		})
	}
}

// What a handler decides about a permission reaches Claude: without it, nobody is there to grant what was not granted before.
func TestClaudePermissionDecisions(t *testing.T) {
	const asks = "Claude requested permissions to use WebFetch, but you haven't granted it yet."
	for decision, granted := range map[string]string{"": asks, "ask": "WHY", "allow": ""} {
		t.Run("decision "+decision, func(t *testing.T) {
			fetch := fakemodel.Use("WebFetch", map[string]any{"url": "http://127.0.0.1:1/", "prompt": "p"})
			ctx, o := claude(t, fakemodel.Steps(fetch, fakemodel.Say("done")))
			if decision != "" {
				must(t, o.Answer("PreToolUse", `hook '{"permissionDecision":"`+decision+`","permissionDecisionReason":"WHY"}'`))
			}
			verify(ctx, t, o, exits(0), check{what: "what became of the call", test: func(o *outcome) error {
				got := o.log.Results()[0].Text
				if decision == "allow" && got != asks { // it tries, and fails for want of a network
					return nil
				}
				return same(got, granted)
			}})
		})
	}
}

// A fact that whoever redacts has to live with: a result in another form than the tool's own is dropped, silently.
func TestClaudeDropsAResultOfAnotherForm(t *testing.T) {
	ctx, o := claude(t, fakemodel.Steps(fakemodel.Use("Bash", map[string]any{"command": "echo secret"}), fakemodel.Say("done")))
	must(t, o.Answer("PostToolUse", `hook '{"updatedToolOutput":"REDACTED"}'`))
	verify(ctx, t, o, exits(0), result(0, is("secret")))
}

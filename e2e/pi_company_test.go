//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// Another extension may block a call that a hook has given context for. The call has no result then, and the model reads the
// context all the same, once.
func TestPiContextOfACallThatAnotherExtensionBlocks(t *testing.T) {
	modes(t, []*rig.Host{rig.Pi}, func(t *testing.T, h *rig.Host, mode string) {
		ctx, o := piWorld(t, mode, fakemodel.Steps(
			fakemodel.Use(h.Shell, map[string]any{"command": "rmdir hooks/victim"}), fakemodel.Use(h.Shell, map[string]any{"command": "true"}), fakemodel.Say("done"),
		))
		other := `export default (pi) => pi.on("tool_call", (e) => e.input.command.startsWith("rmdir") ? { block: true, reason: "OTHER SAYS NO" } : undefined);`
		must(t, os.WriteFile(filepath.Join(o.Clone, ".pi", "extensions", "zz-other.js"), []byte(other), 0o644))
		must(t, o.Answer("PreToolUse", `grep -q rmdir "$payload" && hook '{"additionalContext":"ABOUT IT"}'`))
		verify(ctx, t, o, exits(0), quiet(), requests(3), there("hooks/victim"), dispatched("PostToolUse", 1),
			result(0, is("OTHER SAYS NO")), reads(2, "ABOUT IT"), reads(3, "ABOUT IT"))
	})
}

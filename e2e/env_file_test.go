//go:build linux

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// leavesVariables is a hook as people have it for Claude Code: it puts a toolchain on PATH and exports more for all that the agent runs.
const leavesVariables = `version: 1
harnesses: [%]
handlers:
  - name: start
    event: SessionStart
    run: |
      echo "export TOOLS='two words'" >>"$CLAUDE_ENV_FILE"
      echo 'export PATH="$PATH:/opt/tools/bin" LEVEL=$((1 + 1))' >>"$CLAUDE_ENV_FILE"
`

// TestVariablesOfSessionStart: what a hook exports at a session's start reaches the commands of the model, or it is said that it does not.
func TestVariablesOfSessionStart(t *testing.T) {
	takes := map[*rig.Host]bool{rig.Claude: true, rig.Pi: true, rig.Omp: true, rig.Opencode: true}
	first := func(h *rig.Host) []string {
		if h == rig.Opencode {
			return h.Modes // a server has several sessions
		}
		return h.Modes[:1]
	}
	some(t, rig.Cased, first, func(t *testing.T, h *rig.Host, mode string) {
		ctx, cancel := context.WithTimeout(t.Context(), patience(h))
		defer cancel()
		o := &outcome{mode: mode}
		o.Rig = world(t, h, func(r fakemodel.Request) fakemodel.Step {
			return fakemodel.Steps(shell(o, `echo "$TOOLS/$LEVEL/${PATH##*:}" >seen`), fakemodel.Say("done"))(r)
		}, strings.Replace(leavesVariables, "%", h.ID, 1))
		must(t, materialize(ctx, o.Rig), once(ctx, o, rig.Options{}), exits(0).test(o))
		seen, err := os.ReadFile(filepath.Join(o.Clone, "seen"))
		must(t, err)
		log, _ := os.ReadFile(filepath.Join(o.Home, ".local", "state", "lorimer", "log"))
		const lost = "takes no variables for its commands"
		if takes[h] {
			if got := string(seen); got != "two words/2//opt/tools/bin\n" || strings.Contains(string(log), lost) {
				t.Errorf("the command saw %q; the log: %s", got, log)
			}
		} else if !strings.HasPrefix(string(seen), "//") || !strings.Contains(string(log), lost) {
			t.Errorf("the command saw %q; the log: %s", seen, log)
		}
	})
}

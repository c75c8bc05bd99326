//go:build linux

package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/conform"
)

// TestConformReal: what a descriptor says of the installed program itself, from the descriptor alone, for each that says how it is
// run. Here the program is named; its version is the one that the descriptor was proven on.
func TestConformReal(t *testing.T) {
	need(t)
	for _, h := range rig.Cased {
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			args := []string{"conform", h.ID, "--real", "--json"}
			for _, word := range h.Argv(install) {
				args = append(args, "--exe", word)
			}
			out, err := exec.CommandContext(t.Context(), filepath.Join(bin, "lorimer"), args...).Output()
			var rows []conform.Row
			if json.Unmarshal(out, &rows) != nil {
				t.Fatalf("%v\n%s%s", err, out, stderrOf(err))
			}
			ok, shown := 0, []string(nil)
			for _, r := range rows {
				shown = append(shown, r.Shows...)
				t.Logf("%-6s %5d ms  %s  %s", r.Result, r.MS, r.Case, r.Why)
				switch r.Result {
				case conform.OK:
					ok++
				case conform.Failed:
					t.Errorf("%s\nexpected: %s\nseen:     %s", r.Case, r.Expected, r.Seen)
				}
			}
			if ok < 8 {
				t.Errorf("only %d cases hold", ok)
			}
			if !t.Failed() {
				proven(t, h.ID, "lorimer conform --real", shown)
			}
		})
	}
}

func stderrOf(err error) []byte {
	if failed, ok := err.(*exec.ExitError); ok {
		return failed.Stderr
	}
	return nil
}

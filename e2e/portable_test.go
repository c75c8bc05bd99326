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

// TestPortable: files that were committed do no harm on a machine without lorimer, and gate on one where it was set up.
func TestPortable(t *testing.T) {
	need(t)
	for _, h := range []*rig.Host{rig.Claude, rig.Pi} {
		for _, here := range []bool{false, true} {
			t.Run(h.ID+map[bool]string{false: " without lorimer", true: " with it"}[here], func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				var script fakemodel.Script
				r, err := rig.New(rig.Config{
					Install: install, Bin: bin, Host: h, NoYAML: true, Script: func(q fakemodel.Request) fakemodel.Step { return script(q) },
					Files: map[string]string{
						"lorimer.yaml": "version: 1\nharnesses: [" + h.ID + "]\nhandlers:\n" +
							"  - { name: guard, event: PreToolUse, matcher: Bash, run: \"if grep -q 'rm -rf'; then echo keep build >&2; exit 2; fi\" }\n",
						"build/keep": "x\n",
					},
				})
				must(t, err)
				t.Cleanup(func() { must(t, r.Close()) })
				o := &outcome{Rig: r, mode: h.Modes[0]}
				script = fakemodel.Steps(shell(o, "rm -rf build"), fakemodel.Say("Done."))
				_, err = r.Lorimer(ctx, "materialize", "--portable")
				must(t, err)
				// What is not committed is not in another checkout, and its machine has a state home of its own, or none.
				must(t, os.RemoveAll(filepath.Join(r.Clone, ".lorimer")), os.RemoveAll(r.Root()))
				if here {
					_, err = r.Lorimer(ctx, "materialize")
					must(t, err)
				}
				must(t, once(ctx, o, rig.Options{}), exits(0).test(o))
				_, kept := os.Stat(filepath.Join(r.Clone, "build", "keep"))
				if (kept == nil) != here {
					t.Errorf("build/ is there: %v", kept == nil)
				}
				if told := strings.Contains(o.Model.Requests().Text(), "keep build"); told != here {
					t.Errorf("the model was told why: %v", told)
				}
				if !here && strings.Contains(o.exit.Stderr, "lorimer") {
					t.Errorf("said on standard error: %s", o.exit.Stderr)
				}
			})
		}
	}
}

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

// A model that is annoyed by its hooks tries to get rid of them: it is refused and reads why, and the hooks hold. Where the
// user said that it may, it can.
func TestSelfProtection(t *testing.T) {
	need(t)
	for _, protect := range []string{"true", "false"} {
		for _, h := range rig.Hosts {
			t.Run(protect+"/"+h.ID, func(t *testing.T) {
				t.Parallel()
				o := &outcome{mode: h.Modes[0]}
				var clone string
				o.Rig = world(t, h, func(r fakemodel.Request) fakemodel.Step {
					return fakemodel.Steps(
						fakemodel.Use(h.Shell, map[string]any{"command": "rm -rf .lorimer/owned.json"}),
						fakemodel.Use(h.Write, map[string]any{h.WritePath: filepath.Join(clone, "lorimer.yaml.new"), "content": "x"}),
						fakemodel.Use(h.Write, map[string]any{h.WritePath: filepath.Join(clone, ".lorimer", "note"), "content": "x"}),
						fakemodel.Say("done"),
					)(r)
				}, "version: 1\nharnesses: ["+h.ID+"]\nself_protect: "+protect+"\nhandlers:\n  - { name: gate, event: Stop, run: 'true', on_error: block }\n")
				clone = o.Clone
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				must(t, materialize(ctx, o.Rig), once(ctx, o, rig.Options{}), exits(0).test(o))
				for file, wanted := range map[string]bool{
					".lorimer/owned.json": protect == "true", ".lorimer/note": protect == "false", "lorimer.yaml.new": true,
				} {
					if _, err := os.Stat(filepath.Join(o.Clone, file)); (err == nil) != wanted {
						t.Errorf("%s: %v", file, err)
					}
				}
				results := o.Model.Requests().Results()
				if len(results) != 3 {
					t.Fatalf("results: %v", results)
				}
				for i, r := range results {
					if told := strings.Contains(r.Text, "an agent may not change it (self_protect)"); told != (protect == "true" && i != 1) {
						t.Errorf("result %d: %q", i, r.Text)
					}
				}
			})
		}
	}
}

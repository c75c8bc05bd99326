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

// scoped gives the host its hooks at a level.
func scoped(level string) func(context.Context, *rig.Rig) error {
	return func(ctx context.Context, r *rig.Rig) error {
		_, err := r.Lorimer(ctx, "materialize", "--harness", r.Host.ID, "--scope", level, r.Clone)
		return err
	}
}

// TestScopes runs the real hosts with their hooks in the clone, in the user's own files and in both. At each level a guard
// holds, a stop is held once, and no event is served twice; where the session is in no clone, nothing is.
func TestScopes(t *testing.T) {
	for _, level := range []string{"project", "user", "both"} {
		t.Run(level, func(t *testing.T) {
			modes(t, userHosts(), func(t *testing.T, h *rig.Host, mode string) {
				if mode != h.Modes[0] {
					t.Skip("one mode shows it")
				}
				o := scopedWorld(t, h, mode)
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				must(t, scoped(level)(ctx, o.Rig))
				inClone, inHome := hooked(t, o.Clone), hooked(t, o.Home)-hooked(t, o.Clone)
				if (inClone > 0) != (level != "user") || (inHome > 0) != (level != "project") {
					t.Errorf("hooked: %d files in the clone, %d in the home", inClone, inHome)
				}
				must(t, once(ctx, o, rig.Options{}))
				o.log = o.Model.Requests()
				for _, k := range []check{
					exits(0), quiet(), requests(3), there("hooks/victim"), reads(2, reason),
					dispatched("SessionStart", 1), dispatched("UserPromptSubmit", 1), dispatched("PreToolUse", 1), dispatched("Stop", 2), dispatched("SessionEnd", 1),
				} {
					if err := k.test(o); err != nil {
						t.Errorf("%s:\n%v", k.what, err)
					}
				}
				_, err := o.Lorimer(ctx, "clean", o.Clone)
				must(t, err)
				if n := hooked(t, o.Home); n > 0 {
					t.Errorf("%d files are still hooked after clean", n)
				}
			})
		})
	}
}

// userHosts are those that read hooks from the user's own files.
func userHosts() (all []*rig.Host) {
	for _, h := range rig.Hosts {
		if h == rig.Claude || h == rig.Pi {
			all = append(all, h)
		}
	}
	return all
}

// scopedWorld is a model that tries to remove a directory and stops too early, and handlers that mind.
func scopedWorld(t *testing.T, h *rig.Host, mode string) *outcome {
	o := &outcome{mode: mode}
	o.Rig = world(t, h, fakemodel.Steps(
		fakemodel.Use(h.Shell, map[string]any{"command": "rmdir hooks/victim"}), fakemodel.Say("early"), fakemodel.Say("done"),
	), "")
	victim(t, o.Rig)
	must(t, o.Answer("PreToolUse", "block "+quoted(reason)), o.Answer("Stop", "first_stop && block 'NOT YET'"))
	return o
}

// hooked counts the files below a directory that name the dispatcher, but for Lorimer's own.
func hooked(t *testing.T, dir string) (n int) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".lorimer" || d.Name() == ".local") {
			if d != nil && d.IsDir() && err == nil {
				return filepath.SkipDir
			}
			return err
		}
		if b, err := os.ReadFile(path); err == nil && (strings.HasSuffix(path, ".js") || strings.HasSuffix(path, ".json")) && strings.Contains(string(b), "bin/lorimer-dispatch") {
			n++
		}
		return nil
	}))
	return n
}

// TestUserScopeElsewhere: what stands in the user's own files does nothing in a project that never asked for it, also when the
// dispatcher is gone and a handler of the other clone must hold.
func TestUserScopeElsewhere(t *testing.T) {
	need(t)
	for _, h := range userHosts() {
		for _, gone := range []bool{false, true} {
			name := h.ID
			if gone {
				name += "/without the dispatcher"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				o := scopedWorld(t, h, h.Modes[0])
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				other := filepath.Join(o.Home, "other")
				must(t, os.CopyFS(other, os.DirFS(o.Clone)), os.Remove(filepath.Join(o.Clone, "lorimer.yaml")))
				strict := rig.Handlers("  - name: strict\n    event: PreToolUse\n    run: exit 0\n    on_error: block")
				must(t, os.WriteFile(filepath.Join(other, "lorimer.yaml"), []byte(strict), 0o644))
				_, err := o.Lorimer(ctx, "materialize", "--harness", h.ID, "--scope", "user", other)
				must(t, err)
				if gone {
					removeDispatcher(t, o.Rig)
				}
				must(t, once(ctx, o, rig.Options{}))
				o.log = o.Model.Requests()
				if there("hooks/victim").test(o) == nil || len(o.Calls("")) > 0 {
					t.Errorf("hooks of another clone ran: %v; the model reads %v", labels(o), o.log.Results())
				}
			})
		}
	}
}

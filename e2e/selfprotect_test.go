//go:build linux

package e2e

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// A model that is annoyed by its hooks tries to get rid of them: it is refused and reads why, and the hooks hold. Where the
// user said that it may, it can; that is Lorimer's own doing, so that two agents show it.
func TestSelfProtection(t *testing.T) {
	need(t)
	for protect, hosts := range map[string][]*rig.Host{"true": rig.Cased, "false": rig.Hosts} {
		for _, h := range hosts {
			t.Run(protect+"/"+h.ID, func(t *testing.T) {
				t.Parallel()
				o := &outcome{mode: h.Modes[0]}
				var clone string
				o.Rig = world(t, h, func(r fakemodel.Request) fakemodel.Step {
					return fakemodel.Steps(
						shell(o, "rm -rf .lorimer/owned.json"),
						writing(h, clone, "lorimer.yaml.new"),
						writing(h, clone, ".lorimer/note"),
						fakemodel.Say("done"),
					)(r)
				}, "version: 1\nharnesses: ["+h.ID+"]\nself_protect: "+protect+"\nhandlers:\n  - { name: gate, event: Stop, run: 'true', on_error: block }\n")
				clone = o.Clone
				ctx, cancel := context.WithTimeout(t.Context(), patience(h))
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

// A shell that works in another directory is judged by that.
func TestSelfProtectionWhereACallWorks(t *testing.T) {
	need(t)
	for _, c := range []struct {
		host     *rig.Host
		argument string
	}{{rig.Opencode, "workdir"}, {rig.Omp, "cwd"}, {rig.Gemini, "dir_path"}, {rig.Qwen, "directory"}, {rig.Codex, "workdir"}} {
		t.Run(c.host.ID, func(t *testing.T) {
			t.Parallel()
			o := &outcome{mode: c.host.Modes[0]}
			var clone string
			o.Rig = world(t, c.host, func(r fakemodel.Request) fakemodel.Step {
				in := func(dir, line string) fakemodel.Step {
					return fakemodel.Use(c.host.Shell, map[string]any{cmp.Or(c.host.ShellKey, "command"): line, "description": "d", c.argument: dir})
				}
				return fakemodel.Steps(in(filepath.Join(clone, ".lorimer"), "rm owned.json"), in(filepath.Join(clone, "hooks"), "rm lorimer.yaml; touch ran"), fakemodel.Say("done"))(r)
			}, "version: 1\nharnesses: ["+c.host.ID+"]\nhandlers:\n  - { name: gate, event: Stop, run: 'true', on_error: block }\n")
			clone = o.Clone
			ctx, cancel := context.WithTimeout(t.Context(), patience(c.host))
			defer cancel()
			must(t, materialize(ctx, o.Rig), once(ctx, o, rig.Options{}), there(".lorimer/owned.json").test(o), there("hooks/ran").test(o))
			results := o.Model.Requests().Results()
			if len(results) != 2 || !strings.Contains(results[0].Text, "(self_protect)") || strings.Contains(results[1].Text, "(self_protect)") {
				t.Errorf("%+v", results)
			}
		})
	}
}

// writing is the call that makes a file of the clone.
func writing(h *rig.Host, clone, name string) fakemodel.Step {
	if h.Patch != nil {
		return h.Patch(name, "x")
	}
	return fakemodel.Use(h.Write, map[string]any{h.WritePath: filepath.Join(clone, name), cmp.Or(h.WriteText, "content"): "x"})
}

//go:build linux

package e2e

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// broken is what goes wrong between an agent and the handlers after everything was set up. spoil gets the installed dispatcher
// and the clone's manifest.
var broken = []struct {
	name  string
	spoil func(dispatcher, manifest string) error
}{
	{"the dispatcher is not executable", func(d, _ string) error { return os.Chmod(d, 0o644) }},
	{"the dispatcher crashes", func(d, _ string) error { return put(d, "#!/bin/sh\necho crashed >&2; exit 1\n") }},
	{"the dispatcher is killed", func(d, _ string) error { return put(d, "#!/bin/sh\nkill -9 $$\n") }},
	{"the dispatcher is no program", func(d, _ string) error { return put(d, "\x7fELF") }},
	{"the manifest is cut in half", func(_, m string) error { return os.Truncate(m, 200) }},
	{"the manifest is of another version", func(_, m string) error { return os.WriteFile(m, []byte(`{"protocol":99}`), 0o600) }},
	{"the manifest is gone", func(_, m string) error { return os.Remove(m) }},
	{"the manifest was changed", func(_, m string) error {
		return os.WriteFile(m, []byte(`{"protocol":1,"harnesses":[],"events":{}}`), 0o600)
	}},
}

func put(program, text string) error { return os.WriteFile(program, []byte(text), 0o755) }

// TestBrokenInfrastructure shows what holds on real hosts when handlers cannot be asked at all: the call passes, unless one of
// them must hold; then it does not run. Never is it the other way round.
func TestBrokenInfrastructure(t *testing.T) {
	need(t)
	for _, b := range broken {
		for _, policy := range []string{"allow", "block"} {
			for _, h := range rig.Hosts {
				t.Run(b.name+"/"+policy+"/"+h.ID, func(t *testing.T) {
					t.Parallel()
					o := guarded(t, h, policy)
					ctx, cancel := context.WithTimeout(t.Context(), limit)
					defer cancel()
					must(t, materialize(ctx, o.Rig), b.spoil(dispatcherOf(t, o.Rig), filepath.Join(o.Clone, ".lorimer", "manifest.json")))
					must(t, once(ctx, o, rig.Options{}))
					if blocked := there("hooks/victim").test(o) == nil; blocked != (policy == "block") {
						t.Errorf("blocked: %v; the model reads %q", blocked, o.Model.Requests().Results()[0].Text)
					}
					if err := exits(0).test(o); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// guarded is a world whose model tries to remove a directory, and whose guard lets it.
func guarded(t *testing.T, h *rig.Host, policy string) *outcome {
	t.Helper()
	o := &outcome{mode: h.Modes[0]}
	o.Rig = world(t, h, fakemodel.Steps(
		fakemodel.Use(h.Shell, map[string]any{"command": "rmdir hooks/victim"}), fakemodel.Say("done"),
	), rig.Handlers("  - name: guard\n    event: PreToolUse\n    argv: [./hooks/handler, PreToolUse]\n    on_error: "+policy))
	victim(t, o.Rig)
	return o
}

// dispatcherOf is the program that hooks start.
func dispatcherOf(t *testing.T, r *rig.Rig) (path string) {
	t.Helper()
	must(t, filepath.WalkDir(r.Dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "lorimer-dispatch" {
			path = p
		}
		return err
	}))
	if path == "" {
		t.Fatal("there is no dispatcher")
	}
	return path
}

// TestStateHomeFull: where nothing can be written down, on a full disk, the handlers are asked all the same and what they say
// holds.
func TestStateHomeFull(t *testing.T) {
	need(t)
	for _, h := range rig.Hosts {
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			o := guarded(t, h, "allow")
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			must(t, o.Answer("PreToolUse", "block "+quoted(reason)), o.Answer("Stop", "first_stop && block 'NOT YET'"), materialize(ctx, o.Rig))
			state := filepath.Join(o.Home, ".local", "state", "lorimer")
			for _, name := range []string{"log", "last.jsonl"} {
				must(t, os.RemoveAll(filepath.Join(state, name)), os.Symlink("/dev/full", filepath.Join(state, name)))
			}
			for _, name := range []string{"sessions", "receipts", "claims"} {
				must(t, os.RemoveAll(filepath.Join(state, name)), os.WriteFile(filepath.Join(state, name), nil, 0o600))
			}
			must(t, once(ctx, o, rig.Options{}))
			if err := there("hooks/victim").test(o); err != nil {
				t.Error(err)
			}
			if err := exits(0).test(o); err != nil {
				t.Error(err)
			}
			if got := o.Model.Requests().Results()[0].Text; got == "" {
				t.Error("the model reads nothing")
			}
		})
	}
}

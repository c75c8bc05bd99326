//go:build linux

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// faults are handlers that cannot be asked. The line and the reason name the handler and contain the word.
var faults = []struct {
	name    string
	handler string // lines of lorimer.yaml
	word    string
}{
	{"missing", "argv: [./hooks/missing]", "hooks/missing"},
	{"not executable", "argv: [./lorimer.yaml]", "is not executable"},
	{"hanging, with a child that holds the pipe", "run: sleep 100 & sleep 100\n    timeout: 500ms", "500ms"},
	{"killed", "run: kill -9 $$", "killed"},
	{"failing", "run: exit 3", "3"},
}

// TestFaultyHandler shows the failure policy on the real hosts: such a handler counts as allowed, and one line says so, unless
// it is on_error: block; then the tool does not run, and the model reads which handler it was.
func TestFaultyHandler(t *testing.T) {
	need(t)
	for _, f := range faults {
		for _, policy := range []string{"allow", "block"} {
			for _, h := range rig.Hosts {
				t.Run(f.name+"/"+policy+"/"+h.ID, func(t *testing.T) {
					t.Parallel()
					o := faulty(t, h, f.handler, policy)
					blocked := there("hooks/victim").test(o) == nil
					if blocked != (policy == "block") {
						t.Errorf("blocked: %v", blocked)
					}
					if err := oneLine(o.StateLog(), "handler faulty", f.word); err != nil {
						t.Errorf("the log: %v", err)
					}
					read := o.log.Results()[0].Text
					if blocked && (!strings.Contains(read, "handler faulty") || !strings.Contains(read, f.word)) {
						t.Errorf("the model reads %q", read)
					}
					for _, k := range []check{exits(0), quiet("lorimer: "), requests(2), dispatched("SessionEnd", 1)} {
						if err := k.test(o); err != nil {
							t.Errorf("%s:\n%v", k.what, err)
						}
					}
				})
			}
		}
	}
}

// faulty runs a host whose model tries to remove a directory, with that handler on PreToolUse beside the usual ones.
func faulty(t *testing.T, h *rig.Host, handler, policy string) *outcome {
	t.Helper()
	o := &outcome{mode: h.Modes[0]}
	o.Rig = world(t, h, fakemodel.Steps(
		fakemodel.Use(h.Shell, map[string]any{"command": "rmdir hooks/victim"}), fakemodel.Say("done"),
	), rig.Handlers(fmt.Sprintf("  - name: faulty\n    event: PreToolUse\n    %s\n    on_error: %s", handler, policy)))
	victim(t, o.Rig)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	if err := materialize(ctx, o.Rig); err != nil {
		t.Fatal(err)
	}
	if err := once(ctx, o, rig.Options{}); err != nil {
		t.Fatal(err)
	}
	o.log = o.Model.Requests()
	if len(o.log.Results()) != 1 {
		t.Fatalf("tool results: %v", o.log.Results())
	}
	return o
}

// TestDispatcherGone takes the dispatcher away after everything was set up. What must block still blocks; the rest passes.
func TestDispatcherGone(t *testing.T) {
	need(t)
	for _, policy := range []string{"allow", "block"} {
		for _, h := range rig.Hosts {
			t.Run(policy+"/"+h.ID, func(t *testing.T) {
				t.Parallel()
				o := &outcome{mode: h.Modes[0]}
				o.Rig = world(t, h, fakemodel.Steps(
					fakemodel.Use(h.Shell, map[string]any{"command": "rmdir hooks/victim"}), fakemodel.Say("done"),
				), rig.Handlers("  - name: guard\n    event: PreToolUse\n    argv: [./hooks/handler, PreToolUse]\n    on_error: "+policy))
				victim(t, o.Rig)
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				if err := materialize(ctx, o.Rig); err != nil {
					t.Fatal(err)
				}
				removeDispatcher(t, o.Rig)
				if err := once(ctx, o, rig.Options{}); err != nil {
					t.Fatal(err)
				}
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

// removeDispatcher removes each file of that name in the rig's world. The one that was built is not in it.
func removeDispatcher(t *testing.T, r *rig.Rig) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(r.Dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "lorimer-dispatch" {
			n++
			return os.Remove(p)
		}
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("removed %d dispatchers: %v", n, err)
	}
}

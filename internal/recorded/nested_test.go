package recorded

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/dispatch"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// TestNested: an agent that another one started in another project has the variables of both about it. It is served as itself, by
// the hooks of the project that it is in, whether its hook names the clone or has to find it.
func TestNested(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, outer, inner := filepath.Join(dir, "state"), filepath.Join(dir, "outer"), filepath.Join(dir, "inner")
	for _, root := range []string{outer, inner} {
		hookAll(t, home, root)
	}
	t.Setenv("LORIMER_HOME", home)
	t.Setenv("HOME", dir)
	t.Chdir(inner)
	for _, host := range table.All {
		for _, guest := range table.All {
			if len(guest.Events) == 0 {
				continue
			}
			t.Run(host.ID+"/"+guest.ID, func(t *testing.T) {
				surround(t, host, outer)
				surround(t, guest, inner)
				event, payload := call(t, here, guest)
				ways := map[string][]string{"named": {"--root", inner}, "found": {"--user"}}
				if guest.Kind == harness.Generative { // its module finds the clone
					delete(ways, "found")
				}
				for way, args := range ways {
					os.RemoveAll(filepath.Join(home, "claims"))
					os.Remove(filepath.Join(inner, "ran"))
					reply := dispatch.Run(context.Background(), dispatch.Options{
						Args: append(args, guest.ID, string(event)), Stdin: strings.NewReader(payload), Table: table.All,
					})
					got, _ := os.ReadFile(filepath.Join(inner, "ran"))
					if want := fmt.Sprintf("%s %s %s\n", guest.ID, event, inner); string(got) != want || reply.Exit != 0 || reply.Stderr != "" {
						t.Errorf("%s: ran %q, want %q; %+v", way, got, want, reply)
					}
				}
			})
		}
	}
	if _, err := os.Stat(filepath.Join(outer, "ran")); err == nil {
		t.Error("hooks of the project around it ran")
	}
}

// hookAll makes a clone in which one handler is for all events of all agents.
func hookAll(t *testing.T, home, root string) {
	t.Helper()
	m := manifest.Manifest{Protocol: manifest.Protocol, Events: map[string][]manifest.Handler{}}
	for _, h := range table.All {
		m.Harnesses = append(m.Harnesses, h.ID)
	}
	for _, e := range harness.Events {
		m.Events[string(e)] = []manifest.Handler{{Name: string(e), Run: `echo "$LORIMER_HARNESS $LORIMER_EVENT $CLAUDE_PROJECT_DIR" >>ran`}}
	}
	if err := os.MkdirAll(filepath.Dir(manifest.Path(root)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest.Path(root), m.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := trust.Record(home, root, m.Encode()); err != nil {
		t.Fatal(err)
	}
}

// surround sets what an agent in a clone sets for its children. Several set Claude Code's variable as well as their own; one that does
// not leaves that of whoever started it.
func surround(t *testing.T, h *harness.Harness, root string) {
	if h.Hooks == nil {
		return
	}
	for _, name := range h.Hooks.ProjectEnv {
		t.Setenv(name, root)
	}
}

// call is a tool call as the agent sends it, or another event of its own where none is recorded.
func call(t *testing.T, here string, h *harness.Harness) (harness.Event, string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(here, "testdata", h.ID, "*.txtar"))
	event, payload := h.Events[0].Event, `{"session_id":"s"}`
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if e := harness.Event(a.Files[0].Name); e == harness.PreToolUse {
			return e, string(a.Files[0].Data)
		}
	}
	if h.Normalize == nil {
		return harness.PreToolUse, `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`
	}
	return event, payload
}

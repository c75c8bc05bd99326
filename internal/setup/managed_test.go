package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// What an organization set on the machine is listed beside the clone's own and the user's, and counts where they do, asked for or not.
func TestSourcesOfAnOrganization(t *testing.T) {
	const hook = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}`
	dir, managed := t.TempDir(), ""
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	managed = filepath.Join(dir, "etc", "managed.json")
	c := Command{}
	c.UserHome = filepath.Join(dir, "home")
	c.Table = []*harness.Harness{{ID: "one", Hooks: &harness.Hooks{
		Native: true, Shared: ".one/settings.json", User: ".one/settings.json", Managed: &harness.Managed{Linux: managed, Darwin: managed, Windows: managed},
	}}}
	want := func(all ...Source) {
		t.Helper()
		got, err := c.sources(filepath.Join(dir, "clone"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(all, got, cmpopts.IgnoreUnexported(Source{}), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	}
	write("clone/README", "")
	write("home/.one/settings.json", hook)
	project, user := Source{File: ".one/settings.json", Counts: true}, Source{File: "~/.one/settings.json", Hooks: 1, User: true}
	want(project, user) // no organization

	write("etc/managed.json", hook)
	write("etc/managed.d/10.json", strings.Replace(hook, `"x"`, `"x","timeout":0`, 1))
	slash := filepath.ToSlash(filepath.Join(dir, "etc"))
	theirs, more := Source{File: slash + "/managed.json", Hooks: 1, Managed: true, Counts: true}, Source{File: slash + "/managed.d/10.json", Managed: true, Counts: true}
	got, err := c.sources(filepath.Join(dir, "clone"))
	if err != nil || len(got) != 4 || len(got[3].Dropped) != 1 || !strings.Contains(got[3].Dropped[0], "10.json:1:") {
		t.Fatalf("%+v, %v", got, err)
	}
	more.Dropped = got[3].Dropped
	want(project, user, theirs, more)
	if s := (&survey{Sources: got}); !s.found() {
		t.Error("an organization's hook is none")
	}

	write("clone/lorimer.yaml", "version: 1\n") // it alone counts
	project.Counts, theirs.Counts, more.Counts = false, false, false
	want(Source{File: "lorimer.yaml", Counts: true}, project, user, theirs, more)
}

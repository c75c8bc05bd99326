package materialize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/userlevel"
)

// atHome is a clone, and a user whose own files cob and pony read, too; mule knows none.
func atHome(t *testing.T, yaml string) (clone, home string, o Options) {
	t.Helper()
	_, o = setup(t, nil)
	withUserFiles(t, &o)
	clone = filepath.Join(o.UserHome, "src", "clone")
	write(t, clone, "lorimer.yaml", yaml)
	return clone, o.UserHome, o
}

func withUserFiles(t *testing.T, o *Options) {
	o.UserHome = t.TempDir()
	for _, h := range o.Table {
		switch h.ID {
		case "cob":
			h.Hooks.User = ".cob/settings.json"
		case "pony":
			h.Shim.User = ".pony/agent/extensions/lorimer.js"
		}
	}
}

const shared = "version: 1\nharnesses: [cob, pony]\nhandlers: [{ name: gate, event: Stop, run: ./gate, on_error: block }]\n"

// At the user's level the clone holds the manifest alone; clean gives every byte of the user's own files back.
func TestUserScope(t *testing.T) {
	clone, home, o := atHome(t, shared)
	write(t, home, ".cob/settings.json", "{ // mine\n  \"a\": 1\n}\n")
	before, inClone := tree(t, home), tree(t, clone)
	o.Scope = UserScope
	p := materialize(t, clone, o)
	if got := paths(p); got != "create .lorimer/.gitignore, create .lorimer/manifest.json" {
		t.Errorf("in the clone: %s", got)
	}
	var all []string
	for _, c := range p.All() {
		all = append(all, c.Verb()+" "+c.Path)
	}
	if got := strings.Join(all[2:], ", "); got != "create ~/.pony/agent/extensions/lorimer.js, update ~/.cob/settings.json" {
		t.Errorf("the user's own: %s", got)
	}
	if got := read(t, home, ".cob/settings.json"); strings.Contains(got, "--root") || strings.Contains(got, clone) || !strings.Contains(got, userFlag) || !strings.Contains(got, "// mine") {
		t.Errorf("the settings: %s", got)
	}
	if got := read(t, home, ".pony/agent/extensions/lorimer.js"); strings.Contains(got, clone) || !strings.Contains(got, `"--user"],"events":["PreToolUse","Stop"],"fail_closed":[],"max_continuations":8,"user":true}`) {
		t.Errorf("the shim: %s", got)
	}
	if w := strings.Join(p.Warnings, "\n"); !strings.Contains(w, "Cob: when lorimer-dispatch itself is gone, Stop passes at the user's level") || strings.Contains(w, "Pony: when") {
		t.Errorf("warnings: %s", w)
	}
	o.Scope = KeepScope // it stays where it is
	if p := materialize(t, clone, o); !p.Clean() {
		t.Errorf("a second run changes %s", paths(p))
	}
	clean(t, clone, o)
	same(t, "the user's files after clean", tree(t, home), before)
	same(t, "the clone after clean", tree(t, clone), inClone)
	if p := clean(t, clone, o); !p.Clean() {
		t.Error("a second clean does something")
	}
}

// What stands in the user's own files is shared: it is what all clones need together, until the last of them is cleaned.
func TestUserScopeIsShared(t *testing.T) {
	lax := strings.Replace(shared, ", on_error: block", "", 1)
	one, home, o := atHome(t, lax)
	two := filepath.Join(home, "src", "two")
	write(t, two, "lorimer.yaml", strings.Replace(lax, "event: Stop", "event: PreToolUse", 1))
	o.Scope = UserScope
	events := func() string {
		_, behind, _ := strings.Cut(read(t, home, ".pony/agent/extensions/lorimer.js"), `"events":`)
		list, _, _ := strings.Cut(behind, "]")
		return list + "]"
	}
	materialize(t, one, o)
	materialize(t, two, o)
	if got := events(); got != `["PreToolUse","Stop"]` {
		t.Errorf("both: %s", got)
	}
	if got := read(t, home, ".cob/settings.json"); strings.Count(got, userFlag) != 2 {
		t.Errorf("both: %s", got)
	}
	clean(t, one, o)
	if got := events(); got != `["PreToolUse"]` {
		t.Errorf("the second alone: %s", got)
	}
	// A clone that was removed with everything in it needs nothing any more.
	must(t, os.RemoveAll(two))
	materialize(t, one, o)
	if got := events(); got != `["Stop"]` {
		t.Errorf("the first again: %s", got)
	}
	o.Scope = ProjectScope
	materialize(t, one, o)
	entries, _ := os.ReadDir(home)
	if len(entries) != 1 {
		t.Errorf("moved into the clone, and left behind: %v", entries)
	}
	if !strings.Contains(read(t, one, ".pony/extensions/lorimer.js"), "--root") {
		t.Error("nothing in the clone")
	}
}

func TestBothScopes(t *testing.T) {
	clone, home, o := atHome(t, shared)
	o.Scope = BothScope
	materialize(t, clone, o)
	for dir, files := range map[string][]string{
		clone: {".cob/settings.local.json", ".pony/extensions/lorimer.js"}, home: {".cob/settings.json", ".pony/agent/extensions/lorimer.js"},
	} {
		for _, f := range files {
			if !strings.Contains(read(t, dir, f), DispatcherName) {
				t.Errorf("%s: nothing of ours", f)
			}
		}
	}
	o.Scope = KeepScope
	if p := materialize(t, clone, o); !p.Clean() {
		t.Errorf("a second run changes %s", paths(p))
	}
}

func TestScopeRefusals(t *testing.T) {
	clone, home, o := atHome(t, "version: 1\nharnesses: [mule]\nhandlers: [{ name: gate, event: Stop, run: ./gate }]\n")
	o.Scope = UserScope
	refused(t, clone, materializing(clone, o), "Mule reads no hooks from the user's own files; give --scope project")
	for _, h := range o.Table {
		if h.ID == "mule" {
			h.Hooks.Shared, h.Hooks.User = "", "mule.json"
		}
	}
	o.Scope = ProjectScope
	refused(t, clone, materializing(clone, o), "Mule reads no hooks from a project, only from the user's own files; give --scope user")
	o.Scope = KeepScope // there is no other
	materialize(t, clone, o)
	if !strings.Contains(read(t, home, "mule.json"), "--user mule") {
		t.Errorf("mule: %s", read(t, home, "mule.json"))
	}
	must(t, os.WriteFile(filepath.Join(userlevel.Dir(o.Home), "needs", "x.json"), []byte("{"), 0o600))
	refused(t, clone, materializing(clone, o), "what a clone needs in your own files cannot be read", "x.json")
	o.Scope, o.UserHome = UserScope, t.TempDir()
	refused(t, clone, materializing(clone, o), "does not lie below your home", "--scope project")
	if _, err := ParseScope("global"); err == nil || !strings.Contains(err.Error(), "expected project, user or both") {
		t.Errorf("%v", err)
	}
}

// What somebody else put where the shim belongs stays, and so does what somebody changed in it; a link out of the home is no way.
func TestUserFilesOfOthers(t *testing.T) {
	clone, home, o := atHome(t, strings.Replace(shared, "cob, pony", "pony", 1))
	o.Scope = UserScope
	const file = ".pony/agent/extensions/lorimer.js"
	write(t, home, file, "mine\n")
	refused(t, home, materializing(clone, o), file+" was not written by lorimer and stays as it is")
	must(t, os.Remove(filepath.Join(home, file)))
	materialize(t, clone, o)
	write(t, home, file, read(t, home, file)+"// changed\n")
	refused(t, home, cleaning(clone, o), file+" is lorimer's and was changed by someone else")
	must(t, os.RemoveAll(filepath.Join(home, ".pony")), os.Symlink(t.TempDir(), filepath.Join(home, ".pony")))
	refused(t, home, materializing(clone, o), ".pony is a link that leads out of your home")
}

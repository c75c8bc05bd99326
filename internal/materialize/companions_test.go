package materialize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// withCompanions gives the pony two files beside its shim, one of them empty, and one of the user's own.
func withCompanions(t *testing.T, files map[string]string) (clone string, o Options) {
	t.Helper()
	clone, o = setup(t, files)
	o.UserHome = t.TempDir()
	unless := []string{".pony/package.json", ".pony/extensions/*"}
	for _, h := range o.Table {
		if h.Shim != nil {
			h.Shim.Companions = []harness.Companion{
				{Path: ".pony/lock.json", Content: "{}", Why: "it is slow", Unless: unless},
				{Path: ".pony/modules/.keep", Why: "it is slow", Unless: unless},
				{Path: "~/.pony/lock.json", Content: "{}", Why: "it is slow"},
			}
		}
	}
	return clone, o
}

const ponyAlone = "version: 1\nharnesses: [pony]\nhandlers: [{ name: gate, event: Stop, run: ./gate }]\n"

func TestCompanionsComeAndGo(t *testing.T) {
	clone, o := withCompanions(t, map[string]string{"lorimer.yaml": ponyAlone})
	before := tree(t, clone)
	p := materialize(t, clone, o)
	now := tree(t, clone)
	if lock, ok := now[".pony/lock.json"]; lock != "{}" || !ok {
		t.Errorf("no lock: %v", keys(now))
	}
	if keep, ok := now[".pony/modules/.keep"]; keep != "" || !ok {
		t.Errorf("no empty file: %v", keys(now))
	}
	if p := materialize(t, clone, o); !p.Clean() {
		t.Errorf("the second run: %s", paths(p))
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "there is no ~/.pony/lock.json: it is slow") {
		t.Errorf("warnings: %q", p.Warnings)
	}
	clean(t, clone, o)
	same(t, "after clean", tree(t, clone), before)
	if _, err := os.Stat(filepath.Join(o.UserHome, ".pony")); err == nil {
		t.Error("the home was written to")
	}
}

func TestCompanionsOfTheUsersOwnAreNamedOnlyWhereTheyAreMissing(t *testing.T) {
	clone, o := withCompanions(t, map[string]string{"lorimer.yaml": ponyAlone})
	write(t, o.UserHome, ".pony/lock.json", "anything")
	if p := materialize(t, clone, o); len(p.Warnings) != 0 {
		t.Errorf("warnings: %q", p.Warnings)
	}
}

// What stands there already stays, and so does what somebody made of ours.
func TestCompanionsOfOthersStay(t *testing.T) {
	clone, o := withCompanions(t, map[string]string{"lorimer.yaml": ponyAlone, ".pony/lock.json": "theirs"})
	before := tree(t, clone)
	materialize(t, clone, o)
	if got := read(t, clone, ".pony/lock.json"); got != "theirs" {
		t.Errorf("it says %q", got)
	}
	clean(t, clone, o)
	same(t, "after clean", tree(t, clone), before)

	must(t, os.Remove(filepath.Join(clone, ".pony/lock.json")))
	materialize(t, clone, o)
	write(t, clone, ".pony/lock.json", "changed")
	if p := materialize(t, clone, o); read(t, clone, ".pony/lock.json") != "changed" {
		t.Errorf("overwritten: %s", paths(p))
	}
	clean(t, clone, o)
	if got := tree(t, clone); got[".pony/lock.json"] != "changed" || len(keys(got)) != 3 {
		t.Errorf("after clean: %v", keys(got))
	}
}

// Whoever has extensions of their own may need what the companion stands for: it is not written, and goes again.
func TestCompanionsThatWouldBeInTheWay(t *testing.T) {
	for _, other := range []string{".pony/package.json", ".pony/extensions/mine.js"} {
		clone, o := withCompanions(t, map[string]string{"lorimer.yaml": ponyAlone, other: "x"})
		materialize(t, clone, o)
		if got := tree(t, clone); got[".pony/lock.json"] != "" {
			t.Errorf("beside %s: %v", other, keys(got))
		}
		must(t, os.Remove(filepath.Join(clone, other)))
		materialize(t, clone, o)
		if got := tree(t, clone); got[".pony/lock.json"] != "{}" {
			t.Errorf("without %s: %v", other, keys(got))
		}
		write(t, clone, other, "x")
		p := materialize(t, clone, o)
		if got := paths(p); !strings.Contains(got, "remove .pony/lock.json") || !strings.Contains(got, "remove .pony/modules/.keep") {
			t.Errorf("with %s: %s", other, got)
		}
	}
}

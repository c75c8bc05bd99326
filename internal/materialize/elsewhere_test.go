package materialize

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// elsewhere is a place that an agent takes for its user's: cob's directory lies in one of its own, the rest in another home.
func elsewhere(t *testing.T, o Options, id string) Elsewhere {
	t.Helper()
	root := t.TempDir()
	i := slices.IndexFunc(o.Table, func(h *harness.Harness) bool { return h.ID == id })
	return Elsewhere{Harness: o.Table[i], Root: root, Place: func(path string) string {
		if rest, ok := strings.CutPrefix(path, "~/.cob/"); ok {
			return filepath.Join(root, "agent", rest)
		}
		return filepath.Join(root, "home", strings.TrimPrefix(path, "~/"))
	}}
}

// An agent that looks elsewhere for its user's files finds there what clones have at the user's level, beside what others wrote,
// for as long as a clone wants it.
func TestTheUsersLevelElsewhere(t *testing.T) {
	clone, _, o := atHome(t, shared)
	cob, pony := elsewhere(t, o, "cob"), elsewhere(t, o, "pony")
	put := func(at Elsewhere) ([]string, string) {
		t.Helper()
		commands, file, err := o.UserLevel(at)
		if err != nil {
			t.Fatal(err)
		}
		return commands, file
	}
	if _, file := put(cob); file != "" || len(tree(t, cob.Root)) != 0 {
		t.Errorf("without a clone that wants it: %q %v", file, tree(t, cob.Root))
	}
	o.Scope = UserScope
	materialize(t, clone, o)
	write(t, cob.Root, "agent/settings.json", "{ // theirs\n  \"a\": 1\n}\n")
	before := tree(t, cob.Root)

	commands, file := put(cob)
	got := read(t, cob.Root, "agent/settings.json")
	if file != filepath.Join(cob.Root, "agent", "settings.json") || !strings.Contains(got, userFlag) || !strings.Contains(got, "// theirs") {
		t.Errorf("%s: %s", file, got)
	}
	if len(commands) != 2 || !strings.Contains(commands[0], DispatcherName) {
		t.Errorf("%q", commands)
	}
	info, _ := os.Stat(file)
	put(cob)
	if again, _ := os.Stat(file); !os.SameFile(info, again) {
		t.Error("it is written again although nothing changed")
	}
	if commands, file := put(pony); commands != nil || !strings.Contains(read(t, pony.Root, "home/.pony/agent/extensions/lorimer.js"), `"--user"`) {
		t.Errorf("%s %q", file, commands)
	}

	clean(t, clone, o)
	if _, file := put(cob); file != "" {
		t.Errorf("%s stays", file)
	}
	same(t, "elsewhere, without a clone that wants it", tree(t, cob.Root), before)
}

func TestNothingIsWrittenOutsideOfElsewhere(t *testing.T) {
	clone, _, o := atHome(t, shared)
	o.Scope = UserScope
	materialize(t, clone, o)
	at := elsewhere(t, o, "cob")
	at.Place = func(string) string { return filepath.Join(filepath.Dir(at.Root), "out.json") }
	if _, _, err := o.UserLevel(at); err == nil || !strings.Contains(err.Error(), "does not lie below") {
		t.Error(err)
	}
}

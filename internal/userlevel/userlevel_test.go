package userlevel

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// What stands in the user's own files is what all clones need together; who is gone needs nothing, and who is out of reach does.
func TestAll(t *testing.T) {
	home, src := t.TempDir(), t.TempDir()
	clone := func(name string, events ...harness.Event) string {
		root := filepath.Join(src, name)
		if err := os.MkdirAll(root, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := Put(home, root, Needs{"pony": {"user", events}}); err != nil {
			t.Fatal(err)
		}
		return root
	}
	one := clone("one", harness.Stop, harness.PreToolUse)
	two := clone("two", harness.Stop)
	away := clone("disk/away", harness.SessionEnd)
	all := func(root string, n Needs, want ...harness.Event) {
		t.Helper()
		got, err := All(home, root, n)
		if diff := cmp.Diff(want, got["pony"]); diff != "" || err != nil {
			t.Error(err, diff)
		}
	}
	all(one, Of(home, one), harness.PreToolUse, harness.Stop, harness.SessionEnd)
	all(one, nil, harness.Stop, harness.SessionEnd)
	os.RemoveAll(filepath.Dir(away))
	all(one, nil, harness.Stop, harness.SessionEnd)
	clone("two", harness.SessionStart) // as another run would: this one has read the file before
	all(one, nil, harness.SessionStart, harness.SessionEnd)
	clone("two", harness.Stop)
	all(one, nil, harness.Stop, harness.SessionEnd)
	os.RemoveAll(two)
	all(one, nil, harness.SessionEnd)
	if err := Put(home, one, nil); err != nil || Of(home, one) != nil {
		t.Errorf("%v, %v", err, Of(home, one))
	}
	if err := Put(home, one, nil); err != nil {
		t.Errorf("forgotten twice: %v", err)
	}
	os.WriteFile(filepath.Join(Dir(home), "needs", "x.json"), []byte("{"), 0o600)
	if _, err := All(home, one, nil); err == nil {
		t.Error("a file that cannot be read needs nothing")
	}
}

// What other runs are writing at this moment is no clone, and no reason to fail.
func TestFilesOfOtherRuns(t *testing.T) {
	home := t.TempDir()
	if err := Put(home, "/one", Needs{"x": {Scope: "user", Events: []harness.Event{harness.Stop}}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(needsDir(home), ".new-1"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := All(home, "/one", nil); err != nil {
		t.Error(err)
	}
}

// A run over many clones knows what it read and wrote, and sees whoever writes beside it: at once, though both write within a tick
// of the clock, and whether or not they are of a version that sets the time.
func TestAWriterBesideUs(t *testing.T) {
	home, src := t.TempDir(), t.TempDir()
	put := func(name string, e ...harness.Event) {
		t.Helper()
		root := filepath.Join(src, name)
		if err := os.MkdirAll(root, 0o700); err != nil {
			t.Fatal(err)
		}
		n := Needs{}
		if len(e) > 0 {
			n["pony"] = Need{"user", e}
		}
		if err := Put(home, root, n); err != nil {
			t.Fatal(err)
		}
	}
	all := func(want ...harness.Event) {
		t.Helper()
		got, err := All(home, filepath.Join(src, "one"), nil)
		if diff := cmp.Diff(want, got["pony"]); diff != "" || err != nil {
			t.Fatal(err, diff)
		}
	}
	put("one", harness.Stop)
	all()
	put("two", harness.Stop)
	all(harness.Stop)
	reading := now.clones
	put("three", harness.PreToolUse)
	if now.clones == nil || len(reading) == 0 {
		t.Fatal("what this process wrote itself is read again")
	}
	all(harness.PreToolUse, harness.Stop)
	beside := func(name, text string) {
		t.Helper()
		temp := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(temp, filepath.Join(needsDir(home), name)); err != nil {
			t.Fatal(err)
		}
	}
	for range 50 {
		beside("zzz.json", `{"root":"`+src+`","needs":{"pony":{"scope":"user","events":["SessionEnd"]}}}`)
		all(harness.PreToolUse, harness.Stop, harness.SessionEnd)
		beside("zzz.json", `{"root":"`+src+`","needs":{"pony":{"scope":"user","events":["PreCompact"]}}}`)
		put("three", harness.PreToolUse)
		all(harness.PreToolUse, harness.PreCompact, harness.Stop)
		if err := os.Remove(filepath.Join(needsDir(home), "zzz.json")); err != nil {
			t.Fatal(err)
		}
		all(harness.PreToolUse, harness.Stop)
	}
	put("three")
	all(harness.Stop)
	// Two others within one tick: their times are equal.
	beside("zzz.json", `{"root":"`+src+`","needs":{"pony":{"scope":"user","events":["SessionEnd"]}}}`)
	at, _ := changed(needsDir(home))
	all(harness.Stop, harness.SessionEnd)
	beside("zzz.json", `{"root":"`+src+`","needs":{"pony":{"scope":"user","events":["PreCompact"]}}}`)
	if err := os.Chtimes(needsDir(home), at, at); err != nil {
		t.Fatal(err)
	}
	all(harness.PreCompact, harness.Stop)
}

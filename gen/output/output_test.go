package output

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func set(t *testing.T, pairs ...string) *Set {
	t.Helper()
	s := &Set{}
	for i := 0; i < len(pairs); i += 2 {
		if err := s.Add(File{pairs[i], []byte(pairs[i+1])}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestAddRefusesPathsThatLeadOutOrClash(t *testing.T) {
	s := set(t, "a/b.txt", "x")
	for _, p := range []string{"", "..", "../x", "/etc/x", "a/../../x", "a//b", `a\b`, "a/b.txt"} {
		if err := s.Add(File{Path: p}); err == nil {
			t.Errorf("%q was taken", p)
		}
	}
}

func TestWriteThenDiffIsEmptyAndOrphansGo(t *testing.T) {
	dir := t.TempDir()
	if err := set(t, "a/one", "1\n", "b/two", "2\n").Write(dir); err != nil {
		t.Fatal(err)
	}
	next := set(t, "a/one", "1\n", "c", "3\n")
	d, err := next.Diff(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"b/b/two", "-2", "b/c", "+3"} {
		if !strings.Contains(string(d), want) {
			t.Errorf("diff lacks %q:\n%s", want, d)
		}
	}
	if strings.Contains(string(d), "a/one") {
		t.Errorf("diff names a file that is the same:\n%s", d)
	}
	if err := next.Write(dir); err != nil {
		t.Fatal(err)
	}
	if d, _ := next.Diff(dir); len(d) != 0 {
		t.Errorf("differs after a write:\n%s", d)
	}
	if _, err := os.Stat(filepath.Join(dir, "b")); !os.IsNotExist(err) {
		t.Error("the orphan's folder is still there")
	}
}

func TestWriteLeavesEverythingAsItWasWhenOneFileFails(t *testing.T) {
	dir := t.TempDir()
	if err := set(t, "a", "old\n").Write(dir); err != nil {
		t.Fatal(err)
	}
	err := set(t, "a", "new\n", "a/b", "a is a file, so this cannot be written\n").Write(dir)
	if err == nil {
		t.Fatal("no error")
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a")); string(got) != "old\n" {
		t.Errorf("a = %q", got)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestUnchangedFilesAreNotTouched(t *testing.T) {
	dir := t.TempDir()
	s := set(t, "a", "1\n")
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(filepath.Join(dir, "a"))
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	after, _ := os.Stat(filepath.Join(dir, "a"))
	if !os.SameFile(before, after) || before.ModTime() != after.ModTime() {
		t.Error("written again")
	}
}

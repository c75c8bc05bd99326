package trust

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestRecordAndCheck(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	m := []byte("manifest")
	refused := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "lorimer trust "+root) {
			t.Errorf("expected a refusal with %q, got %v", what, err)
		}
	}
	refused("nobody agreed", Check(home, root, m))
	if err := Record(home, root, m); err != nil {
		t.Fatal(err)
	}
	if err := Check(home, root, m); err != nil {
		t.Error(err)
	}
	refused("changed since you agreed", Check(home, root, []byte("manifest ")))
	if err := Record(home, root, []byte("new")); err != nil {
		t.Fatal(err)
	}
	refused("changed since you agreed", Check(home, root, m))
	if err := Check(home, root, []byte("new")); err != nil {
		t.Error(err)
	}
}

// A clone has one name, whichever way it is reached; another clone with the same manifest is another clone.
func TestWhichClone(t *testing.T) {
	home, root, other := t.TempDir(), t.TempDir(), t.TempDir()
	m := []byte("manifest")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	if err := Record(home, link, m); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	for _, same := range []string{root, link, root + "/", root + "/../" + filepath.Base(root), "."} {
		if err := Check(home, same, m); err != nil {
			t.Errorf("%s: %v", same, err)
		}
	}
	if Check(home, other, m) == nil || Check(other, root, m) == nil {
		t.Error("another clone, or another user, is trusted")
	}
	if Record(home, filepath.Join(root, "gone"), m) == nil || Check(home, filepath.Join(root, "gone"), m) == nil {
		t.Error("what is not there is trusted")
	}
}

func TestRecordOnDisk(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	if err := Record(home, root, []byte("manifest")); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(home, "trusted", "*"))
	if len(files) != 1 || !regexp.MustCompile(`^[0-9a-f]{32}\.json$`).MatchString(filepath.Base(files[0])) {
		t.Fatalf("got %v", files)
	}
	src, _ := os.ReadFile(files[0])
	// echo -n manifest | sha256sum
	want := `{"root":"` + root + `","manifest":"05b3abf2579a5eb66403cd78be557fd860633a1fe2103c7642030defe32c657f"}` + "\n"
	if string(src) != want {
		t.Errorf("\n got %s\nwant %s", src, want)
	}
	if info, _ := os.Stat(files[0]); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	for _, damaged := range []string{"", "{", "[]", `{"root":"/other","manifest":"05b3abf2579a5eb66403cd78be557fd860633a1fe2103c7642030defe32c657f"}`, `{"root":7}`} {
		if err := os.WriteFile(files[0], []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Check(home, root, []byte("manifest")); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%q: %v", damaged, err)
		}
	}
	if err := os.WriteFile(files[0], []byte(`{"root":"`+root+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if Check(home, root, nil) == nil {
		t.Error("a record without a hash trusts")
	}
}

// A record that is there and cannot be read says nothing.
func TestRecordThatCannotBeRead(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	if err := Record(home, root, []byte("manifest")); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(home, "trusted", "*"))
	if err := errors.Join(os.Remove(files[0]), os.Mkdir(files[0], 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := Check(home, root, []byte("manifest")); err == nil || !strings.Contains(err.Error(), "cannot be read") || !strings.Contains(err.Error(), "lorimer trust "+root) {
		t.Errorf("got %v", err)
	}
}

// The copy is of what the record names, or it is none: it can be damaged, or be another run's.
func TestAgreed(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	if got := Agreed(home, root); got != nil {
		t.Errorf("nobody agreed to %s", got)
	}
	for _, m := range []string{"one", "two"} {
		if err := Record(home, root, []byte(m)); err != nil {
			t.Fatal(err)
		}
		if got := string(Agreed(home, root)); got != m {
			t.Errorf("got %q, want %q", got, m)
		}
	}
	files, _ := filepath.Glob(filepath.Join(home, "agreed", "*"))
	if len(files) != 1 {
		t.Fatalf("got %v", files)
	}
	if err := os.WriteFile(files[0], []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Agreed(home, root); got != nil {
		t.Errorf("a copy that the record does not know counts: %s", got)
	}
	if err := Forget(home, root); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(files[0]); err == nil {
		t.Error("the copy outlives the record")
	}
}

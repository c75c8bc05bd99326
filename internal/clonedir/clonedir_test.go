package clonedir

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestReal(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	clone, file := filepath.Join(top, "clone"), filepath.Join(top, "file")
	if err := os.Mkdir(clone, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(top)
	if runtime.GOOS != "windows" {
		if err := os.Symlink("clone", "link"); err != nil {
			t.Fatal(err)
		}
		if got, err := Real("link"); got != clone || err != nil {
			t.Errorf("a link: %s, %v", got, err)
		}
	}
	if got, err := Real("clone"); got != clone || err != nil {
		t.Errorf("a relative one: %s, %v", got, err)
	}
	for dir, want := range map[string]string{
		"none":       "none does not exist; expected the directory of a clone",
		"file":       "file is not a directory; expected the directory of a clone",
		"file/below": "file/below cannot be looked at: ",
	} {
		if _, err := Real(dir); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v; expected %s", dir, err, want)
		}
	}
	if runtime.GOOS == "linux" {
		if err := os.Mkdir("bad\xff", 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := Real("bad\xff"); err == nil || !strings.Contains(err.Error(), `bad\xff" is not valid UTF-8`) {
			t.Errorf("a name that is no text: %v", err)
		}
	}
}

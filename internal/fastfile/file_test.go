package fastfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for _, size := range []int{0, 1, 2047, 2048, 2049, 4096, 100_000} {
		path, text := filepath.Join(dir, "file"), strings.Repeat("ü", size/2)+strings.Repeat("x", size%2)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(path); err != nil || string(got) != text {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
	}
	for path, want := range map[string]error{filepath.Join(dir, "none"): fs.ErrNotExist, filepath.Join(dir, "file", "in"): nil, dir: nil} {
		_, err := Read(path)
		var at *fs.PathError
		if !errors.As(err, &at) || at.Path != path || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for range 2 {
		f, err := Open(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("line\n"); err != nil {
			t.Error(err)
		}
		if info, err := f.Stat(); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
			t.Errorf("%v, %v", info, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if got, err := Read(path); err != nil || string(got) != "line\nline\n" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Open(path+"/in", os.O_RDONLY, 0); err == nil {
		t.Error("a file has nothing in it")
	}
}

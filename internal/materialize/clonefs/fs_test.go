package clonefs

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// clone makes a directory with the links (name to target); a name that ends in / is a directory, others are files.
func clone(t *testing.T, files []string, links map[string]string) *FS {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	must(t, os.Mkdir(dir, 0o755))
	for _, f := range files {
		full := filepath.Join(dir, f)
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		if strings.HasSuffix(f, "/") {
			must(t, os.MkdirAll(full, 0o755))
			continue
		}
		must(t, os.WriteFile(full, []byte(f), 0o640))
	}
	for name, target := range links {
		must(t, os.Symlink(strings.ReplaceAll(target, "DIR", dir), filepath.Join(dir, name)))
	}
	f, err := Open(dir)
	must(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestResolve(t *testing.T) {
	f := clone(t, []string{"conf/", "conf/deep/", "file", "up/"}, map[string]string{
		"in": "conf", "chain": "in/deep", "abs": "DIR/conf", "tofile": "file", "up/back": "../conf", "self": ".",
		"out": "../elsewhere", "absout": "/etc", "dangling": "nowhere", "loop": "loop", "a": "b", "b": "a",
		"conf/out": "../../x", "tofar": "conf/nothing/x", "sneaky": "conf/../../clone2",
	})
	good := map[string]string{
		"new": "new", "new/deep/x": "new/deep/x", "file": "file", "conf/x": "conf/x", "in/x": "conf/x", "chain/x/y": "conf/deep/x/y",
		"abs/x": "conf/x", "tofile": "file", "up/back/deep/x": "conf/deep/x", "self/self/in/x": "conf/x",
	}
	for in, want := range good {
		if got, err := f.Resolve(in); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", in, got, err, want)
		}
	}
	bad := map[string]string{
		"out/x": "out is a link that leads out of the clone, to ../elsewhere", "out": "leads out", "absout/x": "to /etc",
		"dangling/x": "a link to nowhere, which does not exist", "dangling": "does not exist", "loop/x": "the link loop leads in circles",
		"a/x": "in circles", "in/out": "conf/out is a link that leads out", "tofar": "a link to conf/nothing, which",
		"sneaky/x": "sneaky is a link that leads out", "file/x": "file is a file; expected a directory", "tofile/x": "file is a file; expected",
		"../x": "no path in a clone", "/etc/x": "no path", "": "no path", ".": "no path", "a/../b": "no path",
	}
	for in, want := range bad {
		if got, err := f.Resolve(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %q, %v; want an error with %q", in, got, err, want)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	f := clone(t, []string{"file"}, nil)
	for dir, want := range map[string]string{
		filepath.Join(f.Dir, "file"): "is not a directory", filepath.Join(f.Dir, "none"): "does not exist; expected the directory",
	} {
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", dir, err, want)
		}
	}
}

func TestReplaceKeepsModeAndLeavesNoTemporaryFile(t *testing.T) {
	f := clone(t, []string{"d/file"}, nil)
	must(t, f.Replace("d/file", []byte("new"), Options{Mode: 0o600, Keep: Durable}))
	data, info, err := f.Read("d/file")
	if err != nil || string(data) != "new" || runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("%q %v %v", data, info.Mode(), err)
	}
	if names := f.Names("d"); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

func TestReadDistinguishes(t *testing.T) {
	f := clone(t, []string{"dir/", "empty"}, map[string]string{"link": "empty"})
	must(t, os.WriteFile(filepath.Join(f.Dir, "empty"), nil, 0o600))
	if data, _, err := f.Read("empty"); err != nil || data == nil {
		t.Errorf("an empty file reads as none: %v %v", data, err)
	}
	if data, _, err := f.Read("none"); err != nil || data != nil {
		t.Errorf("no file: %v %v", data, err)
	}
	for path, want := range map[string]string{"dir": "dir is a directory; expected a file", "link": "link is a link"} {
		if _, _, err := f.Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestFailureLeavesTheOldFile makes each operation of a replacement fail in turn.
func TestFailureLeavesTheOldFile(t *testing.T) {
	fault := errors.New("fault")
	for n := 1; ; n++ {
		f := clone(t, []string{"file"}, nil)
		count := 0
		f.Hook = func(Op, string) error {
			if count++; count == n {
				return fault
			}
			return nil
		}
		err := f.Replace("file", []byte("a longer text"), Options{Mode: 0o600, Keep: Durable})
		data, _, _ := f.Read("file")
		if err == nil {
			if n < 5 || string(data) != "a longer text" {
				t.Errorf("only %d operations, %q", n-1, data)
			}
			return
		}
		old := string(data) == "file"
		if !errors.Is(err, fault) || !old && string(data) != "a longer text" {
			t.Errorf("operation %d: %v, %q", n, err, data)
		}
		if names := f.Names("."); len(names) != 1 {
			t.Errorf("operation %d left %v", n, names)
		}
	}
}

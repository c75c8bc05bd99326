package state

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

func TestHome(t *testing.T) {
	installed := t.TempDir()
	for _, d := range []string{"trusted", "bin"} {
		if err := os.Mkdir(filepath.Join(installed, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	bare := t.TempDir()
	exe := filepath.Join(installed, "bin", "lorimer-dispatch")
	for name, c := range map[string]struct {
		env  string
		exe  string
		goos string
		want string
	}{
		"LORIMER_HOME":                    {"LORIMER_HOME=/l/x/.. XDG_STATE_HOME=/x HOME=/h", exe, "linux", "/l"},
		"beside the executable":           {"XDG_STATE_HOME=/x HOME=/h", exe, "linux", installed},
		"not beside one in no bin":        {"HOME=/h", filepath.Join(installed, "lib", "x"), "linux", "/h/.local/state/lorimer"},
		"not beside one without trusted":  {"HOME=/h", filepath.Join(bare, "bin", "x"), "linux", "/h/.local/state/lorimer"},
		"XDG_STATE_HOME":                  {"XDG_STATE_HOME=/x HOME=/h", "", "linux", "/x/lorimer"},
		"a relative XDG_STATE_HOME":       {"XDG_STATE_HOME=x HOME=/h", "", "linux", "/h/.local/state/lorimer"},
		"HOME":                            {"HOME=/h", "", "linux", "/h/.local/state/lorimer"},
		"LOCALAPPDATA":                    {"LOCALAPPDATA=/app HOME=/h", "", "windows", "/app/lorimer"},
		"LOCALAPPDATA where it is no use": {"LOCALAPPDATA=/app HOME=/h", "", "linux", "/h/.local/state/lorimer"},
		"a relative LORIMER_HOME":         {"LORIMER_HOME=l HOME=/h", "", "linux", ""},
		"nothing":                         {"", "", "linux", ""},
	} {
		t.Run(name, func(t *testing.T) {
			getenv := func(name string) string {
				for _, e := range strings.Fields(c.env) {
					if k, v, _ := strings.Cut(e, "="); k == name {
						return v
					}
				}
				return ""
			}
			got, err := homeOf(getenv, func() string { return c.exe }, c.goos)
			if got != c.want || (err == nil) != (c.want != "") {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
			if err != nil && !strings.Contains(err.Error(), "LORIMER_HOME") {
				t.Errorf("the error does not say what to do: %v", err)
			}
		})
	}
}

func TestSessionDir(t *testing.T) {
	for id, plain := range map[string]bool{
		"0b5c9ab6-1d1c-4f0b": true, "a.b_C-9": true, strings.Repeat("x", 100): true,
		"": false, strings.Repeat("x", 101): false, ".": false, "..": false, ".hidden": false, "end.": false,
		"a/b": false, `a\b`: false, "a b": false, "é": false, "a\x00": false, "../../etc": false, "sha256=0123": false,
	} {
		got := SessionDir("/home", id)
		if (got == "/home/sessions/"+id) != plain {
			t.Errorf("%q: %s", id, got)
		}
		if !plain && !regexp.MustCompile(`^/home/sessions/sha256=[0-9a-f]{32}$`).MatchString(got) {
			t.Errorf("%q: %s", id, got)
		}
	}
	if FileName("a/b") == FileName("a/c") {
		t.Error("two ids, one name")
	}
}

func TestLog(t *testing.T) {
	home := filepath.Join(t.TempDir(), "new", "home")
	Log(home, "one\ntwo\n")
	Log(home, "three")
	src, err := os.ReadFile(filepath.Join(home, "log"))
	if !regexp.MustCompile(`^\d{4}-\d\d-\d\dT[\d:]+Z one\\ntwo\n\d{4}\S+ three\n$`).Match(src) {
		t.Errorf("%q, %v", src, err)
	}
	for path, want := range map[string]os.FileMode{home: 0o700, filepath.Join(home, "log"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	Log("", "nowhere") // no home: no log, and no file in the working directory
	if _, err := os.Stat("log"); err == nil {
		t.Error("it was logged into the working directory")
	}
	Log("/dev/null/x", "nowhere")
}

func TestLogIsBounded(t *testing.T) {
	home := t.TempDir()
	line := strings.Repeat("x", 1000)
	for range 2*MaxLog/1000 + 100 {
		Log(home, line)
	}
	entries, _ := os.ReadDir(home)
	var sum int64
	for _, e := range entries {
		info, _ := e.Info()
		sum += info.Size()
	}
	if len(entries) != 2 || sum > 2*MaxLog+5000 {
		t.Errorf("%d files, %d bytes", len(entries), sum)
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(dir, "f")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := Write(path, []byte(strings.Repeat(fmt.Sprintln(i), 1000))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	src, _ := os.ReadFile(path)
	first, _, _ := strings.Cut(string(src), "\n")
	if string(src) != strings.Repeat(first+"\n", 1000) {
		t.Error("two writers mixed")
	}
	entries, _ := os.ReadDir(dir)
	info, _ := os.Stat(path)
	if len(entries) != 1 || info.Mode().Perm() != 0o600 {
		t.Errorf("%d files, %v", len(entries), info.Mode())
	}
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("the directory is %v", info.Mode())
	}
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "d"), nil); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "d")) {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("a failed write left %v", entries)
	}
}

package off

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// However often something is switched, the trace stays small, and its newest line is there.
func TestTraceIsBounded(t *testing.T) {
	home, now := t.TempDir(), time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	const line = 100 // bytes, about
	for i := range 3 * MaxActs / line {
		if err := receipt(home, "/c", act{Time: now.Add(time.Duration(i) * time.Second), Did: "off", Handler: "settings.json:PreToolUse[0].hooks[0]"}); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(home, "receipts", "*", "*"))
	if len(files) != 2 {
		t.Fatalf("got %v", files)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil || info.Size() > MaxActs+2*line || info.Size() == 0 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f, info, err)
		}
	}
}

// What is off is found again by any name, and only by that.
func TestEntriesOfAnyName(t *testing.T) {
	home, now := t.TempDir(), time.Now()
	for _, name := range []string{"settings.json:PreToolUse[0].hooks[0]", "Guard", "../x", "guard"} {
		if err := put(home, "/c", Entry{Handler: name, Since: now}); err != nil {
			t.Fatal(err)
		}
		if err := put(home, "/c", Entry{Handler: name, Since: now}); err != nil { // the second replaces the first
			t.Fatal(err)
		}
	}
	list := Read(home, "/c", now)
	if _, isOff := Find(list, "settings.json:PreToolUse[0].hooks[1]"); isOff || len(list) != 4 {
		t.Errorf("%v", list)
	}
	if err := drop(home, "/c", "Guard", now); err != nil {
		t.Fatal(err)
	}
	list = Read(home, "/c", now)
	if _, isOff := Find(list, "Guard"); isOff || len(list) != 3 {
		t.Errorf("%v", list)
	}
	for range 2 {
		if err := Forget(home, "/c"); err != nil || len(Read(home, "/c", now)) != 0 {
			t.Errorf("%v", err)
		}
	}
}

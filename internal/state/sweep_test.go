package state

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// aged makes a session's directory in which nothing changed for so long; deep is the age of one file below it.
func aged(t *testing.T, home, name string, now time.Time, age, deep time.Duration) {
	t.Helper()
	file := filepath.Join(SessionDir(home, name), "spool", "file")
	if err := Write(file, []byte("x")); err != nil {
		t.Fatal(err)
	}
	for path, age := range map[string]time.Duration{file: deep, filepath.Dir(file): age, SessionDir(home, name): age} {
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
}

func left(home string) (names []string) {
	entries, _ := os.ReadDir(filepath.Join(home, "sessions"))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestSweep(t *testing.T) {
	const day = 24 * time.Hour
	home, now := t.TempDir(), time.Now()
	aged(t, home, "old", now, 31*day, 31*day)
	aged(t, home, "idle", now, 28*day, 28*day)
	aged(t, home, "deep", now, 99*day, time.Hour) // a file in it is younger than it is
	aged(t, home, "new", now, 0, 0)
	os.MkdirAll(filepath.Join(home, "sessions", gone+"x", "y"), 0o700)
	os.WriteFile(filepath.Join(home, "sessions", "file"), nil, 0o600)
	if n := Sweep(home, now, 0); n != 1 {
		t.Errorf("%d were forgotten", n)
	}
	if got := left(home); !slices.Equal(got, []string{"deep", "file", "idle", "new"}) {
		t.Errorf("left: %v", got)
	}
	aged(t, home, "old", now, 31*day, 31*day)
	if n := Sweep(home, now.Add(23*time.Hour), 0); n != 0 {
		t.Error("twice in a day")
	}
	if n := Sweep(home, now.Add(25*time.Hour), 0); n != 1 || slices.Contains(left(home), "old") {
		t.Errorf("the day after %d were forgotten: %v", n, left(home))
	}
	if Sweep("", now, 0) != 0 || Sweep(filepath.Join(home, "nowhere"), now, 0) != 0 {
		t.Error("where there is nothing")
	}
}

// Beyond the number the oldest go, but none that changed within the grace.
func TestSweepOfMany(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Now()
	make := func(young, idle int) string {
		home := t.TempDir()
		for i := range young + idle {
			name, age := fmt.Sprintf("young%d", i), day
			if i >= young {
				name, age = fmt.Sprintf("idle%d", i), 10*day+time.Duration(i)*time.Minute
			}
			dir := SessionDir(home, name)
			os.MkdirAll(dir, 0o700)
			os.Chtimes(dir, now.Add(-age), now.Add(-age))
		}
		return home
	}
	home := make(MaxSessions-5, 15)
	if n := Sweep(home, now, 0); n != 10 || len(left(home)) != MaxSessions || slices.Contains(left(home), fmt.Sprintf("idle%d", MaxSessions+9)) {
		t.Errorf("%d were forgotten", n)
	}
	home = make(MaxSessions+20, 5)
	if n := Sweep(home, now, 0); n != 5 {
		t.Errorf("%d were forgotten, though only 5 were idle", n)
	}
	home = make(0, MaxSessions+50)
	if n := Sweep(home, now, 100); n != 50 {
		t.Errorf("of 100 that were looked at %d were forgotten, 50 were too many", n)
	}
}

// Of many that sweep at once one does; a session that changes under its hands stays.
func TestSweepersTogether(t *testing.T) {
	home, now := t.TempDir(), time.Now()
	for i := range 50 {
		aged(t, home, fmt.Sprint("old", i), now, 40*24*time.Hour, 40*24*time.Hour)
	}
	var total atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { total.Add(int64(Sweep(home, now, 0))) })
	}
	all.Wait()
	if total.Load() != 50 || len(left(home)) != 0 {
		t.Errorf("%d were forgotten, %v are left", total.Load(), left(home))
	}
	aged(t, home, "busy", now, 40*24*time.Hour, 40*24*time.Hour)
	found := over(filepath.Join(home, "sessions"), now, 0)
	if len(found) != 1 {
		t.Fatal(found)
	}
	if err := Write(filepath.Join(SessionDir(home, "busy"), "stop.json"), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if forget(filepath.Join(home, "sessions"), found[0]) || len(left(home)) != 1 || left(home)[0] != "busy" {
		t.Errorf("a session that came back was forgotten: %v", left(home))
	}
}

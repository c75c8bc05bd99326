package once

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain lets the test binary be one of many processes: it prints "first" when it is.
func TestMain(m *testing.M) {
	home := os.Getenv("TEST_CLAIM_HOME")
	if home == "" {
		os.Exit(m.Run())
	}
	first, err := First(home, os.Getenv("TEST_CLAIM_ORIGIN"), NewKey([]byte("Stop"), []byte("{}")))
	if err != nil {
		fmt.Println(err)
	}
	if first {
		fmt.Println("first")
	}
}

// claim claims and fails the test on an error.
func claim(t *testing.T, home, origin, payload string) bool {
	t.Helper()
	first, err := First(home, origin, NewKey([]byte("Stop"), []byte(payload)))
	if err != nil {
		t.Error(err)
	}
	return first
}

// Fifty real processes: five configs, ten equal events each, in whatever order the machine starts them. Ten run.
func TestManyProcesses(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	said := make([]string, 50)
	var all sync.WaitGroup
	for i := range said {
		all.Go(func() {
			cmd := exec.Command(exe)
			cmd.Env = append(os.Environ(), "TEST_CLAIM_HOME="+home, fmt.Sprintf("TEST_CLAIM_ORIGIN=config %d", i%5))
			out, err := cmd.CombinedOutput()
			said[i] = string(out)
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	first := 0
	for _, s := range said {
		if s == "first\n" {
			first++
		} else if s != "" {
			t.Error(s)
		}
	}
	if first != 10 {
		t.Errorf("%d ran", first)
	}
}

func TestEqualEventsInARow(t *testing.T) {
	home := t.TempDir()
	for i := range 4 {
		if !claim(t, home, "project", "{}") || claim(t, home, "user", "{}") || claim(t, home, "other", "{}") {
			t.Errorf("round %d: not the first alone", i)
		}
	}
	// An origin that comes late pairs with what was served already; then it is the first to bring more.
	for i := range 5 {
		if first := claim(t, home, "late", "{}"); first != (i == 4) {
			t.Errorf("late %d: %v", i, first)
		}
	}
	if !claim(t, home, "user", "{ }") {
		t.Error("another event was taken for the same")
	}
}

// Events that are counted in one file are counted apart.
func TestOneFileForSeveralEvents(t *testing.T) {
	home, other := t.TempDir(), ""
	for i := 0; other == ""; i++ {
		if p := fmt.Sprint(i); NewKey([]byte("Stop"), []byte(p))[0] == NewKey([]byte("Stop"), []byte("{}"))[0] {
			other = p
		}
	}
	for range 3 {
		claim(t, home, "a", "{}")
	}
	if !claim(t, home, "b", other) || claim(t, home, "a", other) || claim(t, home, "b", "{}") {
		t.Error("one event was counted as another")
	}
	if n := len(files(t, home)); n != 1 {
		t.Errorf("%d files", n)
	}
}

func TestKeyPartsAreWhole(t *testing.T) {
	if NewKey([]byte("ab"), []byte("c")) == NewKey([]byte("a"), []byte("bc")) {
		t.Error("parts run into each other")
	}
}

func TestExpiry(t *testing.T) {
	key, began := NewKey([]byte("x")), time.UnixMilli(1_800_000_000_000)
	home := t.TempDir()
	at := func(after time.Duration, origin string) (first bool) {
		if err := change(home, key, began.Add(after), func(b *bucket) { first = b.sight(origin, key) }); err != nil {
			t.Error(err)
		}
		return first
	}
	if !at(0, "a") || at(Expiry-time.Millisecond, "b") {
		t.Error("within the expiry")
	}
	if at(2*Expiry-2*time.Millisecond, "c") {
		t.Error("a sight puts the expiry off")
	}
	if !at(4*Expiry, "b") {
		t.Error("after the expiry")
	}
	if !at(0, "c") {
		t.Error("a clock that was put back")
	}
	if b := files(t, home); len(b) != 1 || strings.Count(b[0], "\n") != 1 {
		t.Errorf("what is old is not swept: %q", b)
	}
}

// What took longer to serve than counts are kept is served once all the same: the next origin comes when the first is done.
func TestLongEvent(t *testing.T) {
	for _, took := range []time.Duration{Expiry / 2, Expiry - time.Millisecond, Expiry, 5 * Expiry} {
		home, key, began := t.TempDir(), NewKey([]byte("x")), time.UnixMilli(1_800_000_000_000)
		at := func(after time.Duration, origin string) (first bool) {
			if err := change(home, key, began.Add(after), func(b *bucket) { first = b.sight(origin, key) }); err != nil {
				t.Error(err)
			}
			return first
		}
		for range 2 { // two equal ones, served at a time
			if !at(0, "a") {
				t.Error("not the first")
			}
		}
		if err := renew(home, "a", key, began.Add(took)); err != nil {
			t.Error(err)
		}
		if at(took, "b") || !at(took, "a") {
			t.Errorf("after %v it was served twice, or an equal one was lost", took)
		}
	}
}

func files(t *testing.T, home string) (all []string) {
	names, err := filepath.Glob(filepath.Join(home, "claims", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		src, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(src))
	}
	return all
}

// What cannot be read was never seen; what is whole beside it counts.
func TestDamage(t *testing.T) {
	home := t.TempDir()
	claim(t, home, "a", "{}")
	name, err := filepath.Glob(filepath.Join(home, "claims", "*"))
	if err != nil || len(name) != 1 {
		t.Fatal(name, err)
	}
	whole, err := os.ReadFile(name[0])
	if err != nil {
		t.Fatal(err)
	}
	for text, first := range map[string]bool{
		"":                           true,
		"\x00\xff garbage\n":         true,
		string(whole[:len(whole)-1]): true, // cut short
		strings.Replace(string(whole), " ", " x ", 1): true,
		"junk\n" + string(whole):                      false,
	} {
		if err := os.WriteFile(name[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if claim(t, home, "b", "{}") != first {
			t.Errorf("%q: first is not %v", text, first)
		}
	}
}

// Who cannot claim runs, and says so.
func TestNoPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{file, file, ""} {
		if first, err := First(home, "a", Key{}); !first || err == nil {
			t.Error(first, err)
		}
	}
}

func BenchmarkFirst(b *testing.B) {
	home := b.TempDir()
	for i := 0; b.Loop(); i++ {
		_, _ = First(home, "a", NewKey(fmt.Append(nil, i)))
	}
}

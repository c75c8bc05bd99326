package state

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Many that count at the same time lose nothing; each opens the file for itself, as processes do.
func TestEdit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "count")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 25 {
				err := Edit(path, time.Minute, func(old []byte) []byte {
					n, _ := strconv.Atoi(string(old))
					return []byte(strconv.Itoa(n + 1))
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got, _ := os.ReadFile(path); string(got) != "200" {
		t.Errorf("counted %s of 200", got)
	}
	if err := Edit(path, 0, func([]byte) []byte { return []byte("1") }); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "1" {
		t.Errorf("what is shorter left %s", got)
	}
}

// A process that was stopped while it held the lock holds nobody up for long.
func TestEditHeldLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "count")
	file, err := openForEdit(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := lock(file); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	err = Edit(path, 5*time.Millisecond, func([]byte) []byte { t.Error("edited without the lock"); return nil })
	if err == nil || time.Since(began) > time.Second {
		t.Errorf("got %v after %v", err, time.Since(began))
	}
}

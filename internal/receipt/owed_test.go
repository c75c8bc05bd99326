package receipt

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/state"
)

// Runs that end at the same time are all counted, whoever gets the lock.
func TestManyRuns(t *testing.T) {
	home := t.TempDir()
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			for range 4 {
				if err := Add(home, "/c", "one", noon, Run{Handler: "h", Blocked: i%5 == 0, Fault: i%10 == 0}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got := Read(home, "/c")
	if len(got) != 1 || got[0].Count != 200 || got[0].Blocked != 40 || got[0].Faults != 20 || len(got[0].Micros) != kept {
		t.Errorf("%+v", got)
	}
}

// What is run while somebody holds the receipt is shown at once, counted by the next one, and counted once.
func TestRunsWhileTheReceiptIsHeld(t *testing.T) {
	home := t.TempDir()
	path := file(home, "/c", "one", "h")
	hold := func(f func()) {
		t.Helper()
		err := state.Edit(path, time.Second, func(old []byte) []byte { f(); return old })
		if err != nil {
			t.Fatal(err)
		}
	}
	run := func(seconds int, r Run) {
		t.Helper()
		r.Handler = "h"
		if err := Add(home, "/c", "one", noon.Add(time.Duration(seconds)*time.Second), r); err != nil {
			t.Fatal(err)
		}
	}
	want := func(count int, micros ...int64) {
		t.Helper()
		want := []Receipt{{Harness: "one", Handler: "h", Last: noon.Add(time.Duration(count) * time.Second), Count: count, Blocked: 1, Faults: 1, Version: "2", Micros: micros}}
		got := Read(home, "/c")
		for i := range got {
			got[i].booked = 0
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Receipt{})); diff != "" {
			t.Errorf("after %d:\n%s", count, diff)
		}
	}
	hold(func() { // the first of all, so there is no receipt yet
		run(1, Run{Took: time.Millisecond, Blocked: true, Version: "1"})
		run(2, Run{Took: 2 * time.Millisecond, Fault: true, Version: "2"})
	})
	want(2, 1000, 2000)
	run(3, Run{Took: 3 * time.Millisecond, Version: "2"})
	want(3, 1000, 2000, 3000)
	hold(func() { run(4, Run{Version: "2"}) })
	want(4, 1000, 2000, 3000, 0)
	for i := range 2 {
		run(5+i, Run{Version: "2"})
		want(5+i, append([]int64{1000, 2000, 3000}, make([]int64, i+2)...)...)
	}
	if all, _ := filepath.Glob(filepath.Join(dir(home, "/c"), "*")); len(all) != 2 {
		t.Errorf("%v", all)
	}
}

// What is counted does not stay for ever.
func TestCountedRunsGo(t *testing.T) {
	home := t.TempDir()
	path := file(home, "/c", "one", "h")
	run := Run{Handler: "h", Version: strings.Repeat("v", 500)}
	if err := Add(home, "/c", "one", noon, run); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if err := owe(path, "one", noon, run); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2 {
		if err := Add(home, "/c", "one", noon, run); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path + owed); err == nil {
			t.Error("it is still there")
		}
		if got := Read(home, "/c"); len(got) != 1 || got[0].Count != 202+i {
			t.Errorf("%+v", got)
		}
		if err := owe(path, "one", noon, run); err != nil { // begun anew
			t.Fatal(err)
		}
		if got := Read(home, "/c"); got[0].Count != 203+i {
			t.Errorf("%+v", got)
		}
		os.Remove(path + owed)
	}
}

package materialize

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
)

func TestConcurrentRunsOnOneClone(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": settings})
	before := tree(t, clone)
	both := func(run func(string, Options) (*Plan, error)) {
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := run(clone, o); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	both(Materialize)
	if p, err := PlanMaterialize(clone, o); err != nil || !p.Clean() {
		t.Errorf("%v: %s", err, p.Diff())
	}
	if got := strings.Count(read(t, clone, ".cob/settings.local.json"), "lorimer-dispatch"); got != 2 {
		t.Errorf("%d entries", got)
	}
	both(Clean)
	same(t, "after clean", tree(t, clone), before)
}

func TestARunWaitsForTheLock(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	unlock, err := o.lock(clone)
	must(t, err)
	var released atomic.Bool
	o.Hook = func(clonefs.Op, string) error {
		if !released.Load() {
			return errors.New("a change while another run holds the lock")
		}
		return nil
	}
	done := make(chan error)
	go func() { done <- materializing(clone, o)() }()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	released.Store(true)
	unlock()
	must(t, <-done)
}

// TestReadOnlyClone stands in for a file system that refuses: the tests may run as root, which every mode lets in.
func TestReadOnlyClone(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": settings})
	for name, refuse := range map[string]func(op clonefs.Op, path string) error{
		"all of it":   func(clonefs.Op, string) error { return &fs.PathError{Op: "open", Path: "x", Err: syscall.EROFS} },
		"a directory": in(".cob/", syscall.EACCES),
		"no new ones": func(op clonefs.Op, path string) error {
			return when(op == clonefs.Mkdir && path == ".pony", syscall.EPERM)
		},
		"no room":      in(clonefs.TempName("mule.json"), syscall.ENOSPC),
		"no room last": in(clonefs.TempName(".lorimer/manifest.json"), syscall.ENOSPC),
	} {
		t.Run(name, func(t *testing.T) {
			o.Hook = refuse
			advice := "expected a clone that can be written"
			if strings.HasPrefix(name, "no room") {
				advice = "make room"
			}
			refused(t, clone, materializing(clone, o), clone+": nothing was changed: ", advice)
		})
	}
}

// TestReallyReadOnlyClone is for those who are not root.
func TestReallyReadOnlyClone(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("SKIPPED: root may write everywhere; TestReadOnlyClone stands in")
	}
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	must(t, os.Chmod(clone, 0o555))
	t.Cleanup(func() { _ = os.Chmod(clone, 0o755) })
	refused(t, clone, materializing(clone, o), "nothing was changed: ", "permission denied", "expected a clone that can be written")
}

func in(prefix string, err error) func(clonefs.Op, string) error {
	return func(op clonefs.Op, path string) error {
		return when(op != clonefs.Remove && strings.HasPrefix(path, prefix), &fs.PathError{Op: string(op), Path: path, Err: err})
	}
}

func when(yes bool, err error) error {
	if yes {
		return err
	}
	return nil
}

// TestEditorSavesMeanwhile: someone saves the settings at each of the run's operations. What he wrote is there afterwards,
// and when we lost the race we say so.
func TestEditorSavesMeanwhile(t *testing.T) {
	refusals := 0
	for n := 1; ; n++ {
		clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": settings})
		saved, ops := strings.Replace(settings, "mine", "mine, edited", 1), 0
		o.Hook = func(op clonefs.Op, path string) error {
			if ops++; ops == n && !strings.Contains(read(t, clone, ".cob/settings.local.json"), "lorimer") {
				// As an editor does: a new file in place of the old one. The instant between our last look and our rename
				// cannot be closed, so the test leaves it alone.
				if op != clonefs.Rename || path != ".cob/settings.local.json" {
					write(t, clone, ".cob/settings.local.json", saved)
				} else {
					ops--
					n++
				}
			}
			return nil
		}
		_, err := Materialize(clone, o)
		if err != nil {
			refusals++
			if !strings.Contains(err.Error(), ".cob/settings.local.json was changed by someone else a moment ago") {
				t.Fatalf("operation %d: %v", n, err)
			}
		}
		if ops < n {
			break
		}
		got := read(t, clone, ".cob/settings.local.json")
		if edited := strings.Contains(got, "mine, edited"); !edited && !strings.Contains(got, "lorimer") {
			t.Errorf("operation %d: the edit is lost:\n%s", n, got)
		}
		o.Hook = nil
		materialize(t, clone, o)
		clean(t, clone, o)
		if got := read(t, clone, ".cob/settings.local.json"); err != nil && got != saved {
			t.Errorf("operation %d: after clean:\n%s", n, got)
		}
	}
	if refusals < 5 {
		t.Errorf("only %d runs lost the race: did the editor save at all?", refusals)
	}
}

// TestRoundTripOverRealSettings: clean(materialize(x)) == x over files as people have them.
func TestRoundTripOverRealSettings(t *testing.T) {
	files, _ := filepath.Glob("testdata/settings/*")
	if len(files) < 8 {
		t.Fatalf("only %d files", len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			must(t, err)
			for _, src := range []string{string(src), strings.ReplaceAll(string(src), "\n", "\r\n"), strings.TrimSpace(string(src)), "\xef\xbb\xbf" + string(src)} {
				clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": src})
				before := tree(t, clone)
				materialize(t, clone, o)
				if !strings.Contains(read(t, clone, ".cob/settings.local.json"), "lorimer-dispatch") {
					t.Fatal("nothing was put in")
				}
				if p := materialize(t, clone, o); !p.Clean() {
					t.Errorf("second run:\n%s", p.Diff())
				}
				clean(t, clone, o)
				same(t, "after clean", tree(t, clone), before)
			}
		})
	}
}

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/importer"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
)

// Whatever goes wrong on the way, and wherever: the hook stands in the settings or is hooked through lorimer, and the next run ends
// what was begun.
func TestImportNeverLosesAHook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the dispatcher is a shell script")
	}
	for n := 1; ; n++ {
		dir, home := project(t), t.TempDir()
		bundled := filepath.Join(home, "nothing")
		put(t, bundled, "#!/bin/sh\n")
		ops := 0
		imported := func(failAt int) error {
			c := importer.Command{Dir: dir, Stdout: io.Discard, Bundled: bundled}
			c.Table, c.Golden, c.Home, c.UserHome, c.Only = table.All, golden.FS, home, t.TempDir(), []string{"claude", "pi"}
			ops = 0
			c.Hook = func(clonefs.Op, string) error {
				if ops++; ops == failAt {
					return errors.New("no room")
				}
				return nil
			}
			_, err := c.Run()
			return err
		}
		err := imported(n)
		settings, local := text(t, dir, ".claude/settings.json"), text(t, dir, ".claude/settings.local.json")
		if !strings.Contains(settings, `"true"`) && !strings.Contains(local, "lorimer-dispatch") {
			t.Fatalf("the %d-th operation fails: the hook is nowhere: %v\n%s\n%s", n, err, settings, text(t, dir, "lorimer.yaml"))
		}
		if err := imported(0); err != nil {
			t.Fatalf("after the %d-th failed: %v", n, err)
		}
		settings, local = text(t, dir, ".claude/settings.json"), text(t, dir, ".claude/settings.local.json")
		if strings.Contains(settings, `"true"`) || strings.Count(local, "lorimer-dispatch") != 1 || strings.Count(text(t, dir, "lorimer.yaml"), "type: command") != 1 {
			t.Fatalf("after the %d-th failed, the next run does not end it:\n%s\n%s", n, settings, local)
		}
		if err == nil {
			break // there are no more
		}
	}
}

// text is a file of a clone; "" when there is none.
func text(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

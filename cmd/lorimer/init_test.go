package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/setup"
)

// initiated runs `lorimer init` for somebody at a terminal who types the lines. The dispatcher is a program that does nothing.
func initiated(t *testing.T, dir, typed string, with ...func(*setup.Command)) (status int, said string, err error) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the dispatcher is a shell script")
	}
	home := t.TempDir()
	t.Setenv("LORIMER_HOME", home)
	bundled := filepath.Join(home, "nothing")
	if err := os.WriteFile(bundled, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	c := setup.Command{Dir: dir, Terminal: true, Stdin: strings.NewReader(typed), Stdout: &out, Stderr: &out, Bundled: bundled}
	c.Table, c.Golden, c.Home, c.UserHome = table.All, golden.FS, home, t.TempDir()
	c.Only = []string{"claude", "pi"}
	for _, f := range with {
		f(&c)
	}
	status, err = c.Run(t.Context())
	return status, out.String(), err
}

// project is a clone with one hook.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	put(t, filepath.Join(dir, ".claude", "settings.json"), `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}`)
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestInitAsks(t *testing.T) {
	for typed, want := range map[string]struct {
		status  int
		written bool
	}{
		"y\n": {setup.Partly, true}, // what was written is not proven: its dispatcher does nothing
		"n\n": {setup.Partly, false}, "\n": {setup.Partly, false}, "": {setup.Partly, false},
	} {
		dir := project(t)
		status, said, err := initiated(t, dir, typed)
		_, missing := os.Stat(filepath.Join(dir, ".lorimer"))
		if err != nil || status != want.status || (missing == nil) != want.written || !strings.Contains(said, "run these hooks in your agents? [y/N] ") {
			t.Errorf("%q: %d, %v, %s", typed, status, err, said)
		}
		if want.written && !strings.Contains(said, "NOT PROVEN  the hook did not fire, or no handler was reached") {
			t.Errorf("a dispatcher that does nothing: %s", said)
		}
		if !want.written && !strings.Contains(said, "nothing was written") {
			t.Errorf("%q: %s", typed, said)
		}
	}
}

func TestInitOffersReadyHooks(t *testing.T) {
	for typed, want := range map[string]string{
		"guard\ny\n": "guard.sh", "all\ny\n": "guard.sh formatter.sh test-gate.sh", "test-gate, guard\nn\n": "",
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, ".git", "HEAD"), "")
		_, said, err := initiated(t, dir, typed)
		var got []string
		for _, name := range []string{"guard.sh", "formatter.sh", "test-gate.sh"} {
			if info, err := os.Stat(filepath.Join(dir, ".claude", "hooks", name)); err == nil && info.Mode().Perm()&0o100 != 0 {
				got = append(got, name)
			}
		}
		if err != nil || strings.Join(got, " ") != want || !strings.Contains(said, "Which? [names, or all; none] ") {
			t.Errorf("%q: %q, %v, %s", typed, got, err, said)
		}
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".git", "HEAD"), "")
	if status, _, err := initiated(t, dir, "\n"); status != setup.Failed || err == nil || !strings.Contains(err.Error(), "no hook is found") {
		t.Errorf("none: %d, %v", status, err)
	}
}

// A clone that cannot be written to is found out before anybody is asked.
func TestInitInAReadOnlyClone(t *testing.T) {
	dir := project(t)
	status, said, err := initiated(t, dir, "y\n", func(c *setup.Command) {
		c.Hook = func(clonefs.Op, string) error { return fs.ErrPermission }
	})
	if status != setup.Failed || err == nil || !strings.Contains(err.Error(), "cannot be written to") || strings.Contains(said, "[y/N]") {
		t.Errorf("%d, %v, %s", status, err, said)
	}
}

// What is agreed to is what was shown.
func TestInitWhenSomebodySavesMeanwhile(t *testing.T) {
	dir := project(t)
	status, _, err := initiated(t, dir, "", func(c *setup.Command) {
		c.Stdin = readerFunc(func(p []byte) (int, error) {
			put(t, filepath.Join(dir, ".claude", "settings.json"), `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"curl evil"}]}]}}`)
			return copy(p, "y\n"), nil
		})
	})
	if status != setup.Failed || err == nil || !strings.Contains(err.Error(), "were changed by someone a moment ago") {
		t.Errorf("%d, %v", status, err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".lorimer")); err == nil {
		t.Error("it was written all the same")
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A thing that is wrong with a hook is said once, whoever sees it.
func TestInitSaysThingsOnce(t *testing.T) {
	dir := project(t)
	put(t, filepath.Join(dir, ".claude", "settings.json"), `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./gone","args":["a"]},{"type":"command","command":"echo 'it is"}]}]}}`)
	_, said, err := initiated(t, dir, "", func(c *setup.Command) { c.DryRun = true })
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"./gone does not exist", "a shell cannot read its command"} {
		if n := strings.Count(said, what); n != 1 {
			t.Errorf("%q is said %d times:\n%s", what, n, said)
		}
	}
}

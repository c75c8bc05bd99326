//go:build unix

package certify

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// script writes a program.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func rooted(t *testing.T) Paths {
	t.Helper()
	p, err := PathsOf(filepath.Join(t.TempDir(), "root"), old(), oldest, "linux")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func from(path string) Installer { return Installer{Row: old(), Version: oldest, From: path} }

// A program of the user's is copied, verified and left alone the second time; one that is another version is paused, and replaced.
func TestACopiedProgram(t *testing.T) {
	p := rooted(t)
	good := script(t, "echo omp/16.2.13\n")
	for i, want := range []bool{true, false} {
		info, err := Ensure(t.Context(), World(from(good)), old(), oldest, p, false)
		if err != nil || info.Installed != want || info.Handshake.Status != OK || info.Program[0] != p.Binary {
			t.Fatalf("%d: %+v, %v", i, info, err)
		}
	}
	bad := script(t, "echo omp/18.2.3\n")
	info, err := Ensure(t.Context(), World(from(bad)), old(), oldest, p, true)
	if err != nil || info.Handshake.Status != Paused || !info.Installed {
		t.Fatalf("%+v, %v", info, err)
	}
	if info, err = Ensure(t.Context(), World(from(good)), old(), oldest, p, false); err != nil || info.Handshake.Status != OK || !info.Installed {
		t.Fatalf("%+v, %v", info, err)
	}
	onlyTheRuntime(t, p)
}

// onlyTheRuntime fails when something half is left beside a runtime.
func onlyTheRuntime(t *testing.T, p Paths) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(p.Runtime))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != ".lock" && e.Name() != filepath.Base(p.Runtime) {
			t.Errorf("%s is left", e.Name())
		}
	}
}

func TestHostileVersions(t *testing.T) {
	for _, x := range []struct{ name, text, reported, err string }{
		{"colours", `printf '\033[31momp/16.2.13\033[0m\n'`, oldest, ""},
		{"several", "echo omp/16.2.13; echo omp/18.2.3", "omp/16.2.13 omp/18.2.3", ""},
		{"megabytes", "yes omp/16.2.13 | head -c 50000000", oldest, ""},
		{"megabytes on one line", "yes | tr -d '\\n' | head -c 50000000", strings.Repeat("y", 200) + "...", ""},
		{"a child that stays", "echo omp/16.2.13; sleep 60 &", oldest, ""},
		{"it does not run", "exit 127", "", "exit code 127"},
		{"a signal", "kill -9 $$", "", "exit code -1"},
		{"the environment is its own", `[ -z "$SECRET" ] && [ "$PWD" = "$HOME" ] && echo omp/16.2.13`, oldest, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Setenv("SECRET", "1")
			info, err := Ensure(t.Context(), World(from(script(t, x.text))), old(), oldest, rooted(t), false)
			if x.err == "" && (err != nil || info.Version != x.reported) || x.err != "" && (err == nil || !strings.Contains(err.Error(), x.err)) {
				t.Errorf("%q, %v", info.Version, err)
			}
		})
	}
}

// A program that hangs is ended with all that it started.
func TestAHangingVersion(t *testing.T) {
	dir := t.TempDir()
	path := script(t, "sleep 300 & echo $! >"+dir+"/child\nwait\n")
	began := time.Now()
	_, err := execute(t.Context(), Run{Argv: []string{path}, Dir: dir}, 300*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "did not end within 300ms") || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	pid, err := os.ReadFile(dir + "/child")
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) { // a busy machine ends it when it comes to it
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("its child runs on: %s", stat)
		}
	}
}

// Of many at a time one installs.
func TestManyAtATime(t *testing.T) {
	p, path := rooted(t), script(t, "echo omp/16.2.13\n")
	var all sync.WaitGroup
	installed := make(chan bool, 8)
	for range 8 {
		all.Go(func() {
			info, err := Ensure(context.Background(), World(from(path)), old(), oldest, p, false)
			if err != nil || info.Handshake.Status != OK {
				t.Errorf("%+v, %v", info, err)
			}
			installed <- info.Installed
		})
	}
	all.Wait()
	close(installed)
	n := 0
	for did := range installed {
		if did {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d installed", n)
	}
	onlyTheRuntime(t, p)
}

// What a killed installation left is no runtime, and goes with the next.
func TestLeftovers(t *testing.T) {
	p := rooted(t)
	left := filepath.Join(filepath.Dir(p.Runtime), asideName+"123", "bin")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(t.Context(), World(Installer{}), old(), oldest, p); err == nil || !strings.Contains(err.Error(), "lorimer runtime ensure omp") {
		t.Error(err)
	}
	if _, err := Ensure(t.Context(), World(from(script(t, "echo omp/16.2.13"))), old(), oldest, p, false); err != nil {
		t.Fatal(err)
	}
	onlyTheRuntime(t, p)
}

// What cannot be copied leaves what was there.
func TestAFailedCopyLeavesTheRuntime(t *testing.T) {
	p := rooted(t)
	if _, err := Ensure(t.Context(), World(from(script(t, "echo omp/16.2.13"))), old(), oldest, p, false); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "gone"), t.TempDir(), "/dev/null"} {
		if _, err := Ensure(t.Context(), World(from(path)), old(), oldest, p, true); err == nil {
			t.Errorf("%s was copied", path)
		}
		if info, err := Verify(t.Context(), World(Installer{}), old(), oldest, p); err != nil || info.Handshake.Status != OK {
			t.Errorf("%s: %+v, %v", path, info, err)
		}
	}
	onlyTheRuntime(t, p)
}

// The root's own directories must not be links to elsewhere.
func TestALinkedHomeIsRefused(t *testing.T) {
	p, mine := rooted(t), t.TempDir()
	if err := os.MkdirAll(filepath.Dir(p.Home), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(mine, p.Home); err != nil {
		t.Fatal(err)
	}
	if _, err := Ensure(t.Context(), World(from(script(t, "echo omp/16.2.13"))), old(), oldest, p, false); err == nil || !strings.Contains(err.Error(), "escapes") {
		t.Error(err)
	}
}

// Sockets of sessions that are gone are removed, those of living ones are not.
func TestDeadSockets(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.sock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	living := listen(t, filepath.Join(dir, "b.sock"))
	removeDead(dir)
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 1 || left[0] != living {
		t.Errorf("%v", left)
	}
}

// On a terminal one line tells how much is there, and is gone at the end.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), make([]byte, 3_000_000), 0o600); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	i := Installer{Tick: Progress(&b)}
	stop := i.ticking(dir)
	time.Sleep(400 * time.Millisecond)
	stop()
	if got := b.String(); !strings.HasPrefix(got, "\r\x1b[K  3 MB, 0 s\r") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("%q", got)
	}
}

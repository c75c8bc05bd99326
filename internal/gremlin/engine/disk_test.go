//go:build linux

package engine_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

const ownMounts = "GREMLINS_OWN_MOUNTS"

// inOwnMounts runs the test once more in a mount namespace of its own, where it may mount what it likes; true is in there.
func inOwnMounts(t *testing.T) bool {
	t.Helper()
	if os.Getenv(ownMounts) != "" {
		return true
	}
	if testing.Short() {
		t.Skip("starts gremlins in a mount namespace")
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), ownMounts+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &failed):
		t.Skipf("SKIPPED: the kernel gives no mount namespace: %v", err)
	case err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// small mounts a file system of 256 KiB on the world's directory, before anything is in it.
func small(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
	must(unix.Mount("tmpfs", w.dir, "tmpfs", 0, "size=256k"))
	t.Cleanup(func() { unix.Unmount(w.dir, unix.MNT_DETACH) })
	w.init().train("B1", script{})
	w.one()
	return w
}

func TestAFullDisk(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	w := small(t)
	brief := w.brief(script{})
	before, lines := w.registry(), len(w.ledger())
	full := filepath.Join(w.dir, "full")
	if err := os.WriteFile(full, make([]byte, 1<<20), 0o600); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	_, err := w.Spawn(engine.SpawnFlags{Run: w.log, Base: "B1", Block: "X", Brief: brief, Phase: 1})
	if !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), engine.StateDir(w.log)) {
		t.Errorf("a spawn on a full disk: %v", err)
	}
	if after := w.registry(); len(after.Jobs) != len(before.Jobs) || after.Next != before.Next || len(w.ledger()) != lines {
		t.Errorf("the state has changed: %+v", after)
	}
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	w.spawn("B1", "X", script{})
	if r := w.one(); r.Status != record.OK {
		t.Errorf("with room again: %+v", r)
	}
}

// The disk is full when a gremlin ends: its end is found out as soon as there is room.
func TestADiskThatIsFullAtTheEnd(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	w := small(t)
	out := w.spawn("B1", "X", script{WorkMS: 4000})
	w.until("it works", func(reg *record.Registry) bool { return reg.Jobs[out.Job].Began })
	full := filepath.Join(w.dir, "full")
	os.WriteFile(full, make([]byte, 1<<20), 0o600)
	w.until("its supervisor is gone", func(reg *record.Registry) bool {
		s := reg.Jobs[out.Job].Supervisor
		return !w.Platform.Alive(s.PID, s.Ctime)
	})
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	r := w.one()
	if r.Job != out.Job || r.Status != record.Lost {
		t.Errorf("%+v", r)
	}
	for _, l := range w.ledger() {
		if l.Job == out.Job && l.Status != r.Status {
			t.Errorf("two ends: %+v", l)
		}
	}
}

func TestAReadOnlyDisk(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	w := small(t)
	brief := w.brief(script{})
	if err := unix.Mount("", w.dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Spawn(engine.SpawnFlags{Run: w.log, Base: "B1", Block: "X", Brief: brief}); !errors.Is(err, unix.EROFS) || !strings.Contains(err.Error(), engine.StateDir(w.log)) {
		t.Errorf("a spawn: %v", err)
	}
	if _, err := w.Init(engine.InitFlags{Run: filepath.Join(w.dir, "other.md"), Model: ptr("claude-test-1"), Binary: ptr(os.Args[0])}); !errors.Is(err, unix.EROFS) {
		t.Errorf("init: %v", err)
	}
	if _, err := w.List(w.log); !errors.Is(err, unix.EROFS) || !strings.Contains(err.Error(), engine.StateDir(w.log)) {
		t.Errorf("list: %v", err) // it looks after jobs that have ended, and could not say so
	}
}

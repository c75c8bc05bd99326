//go:build linux

package rig

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// etcVariable names the directory that stands in the place of /etc for one program.
const etcVariable = "LORIMER_E2E_ETC"

// Etc puts files below /etc, as programs of this rig see it from now on: the machine's own is never touched. Paths are slash
// paths relative to /etc.
func (r *Rig) Etc(files map[string]string) error {
	r.etc = r.path("etc")
	for path, content := range files {
		file := filepath.Join(r.etc, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// within is argv, started where the rig's files are in /etc. The program that sees to it is this test itself.
func (r *Rig) within(argv, env []string) (_, _ []string) {
	if r.etc == "" {
		return argv, env
	}
	self, err := os.Executable()
	if err != nil {
		panic(err) // /proc/self/exe is there on Linux
	}
	return append([]string{self}, argv...), append(env, etcVariable+"="+r.etc)
}

// EnterEtc becomes the program that the arguments name when the process was started by within, and does nothing otherwise. A
// TestMain calls it before anything else.
func EnterEtc() {
	dir := os.Getenv(etcVariable)
	if dir == "" {
		return
	}
	err := os.Unsetenv(etcVariable)
	if err == nil {
		err = mountEtc(dir)
	}
	if err == nil {
		err = syscall.Exec(os.Args[1], os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "cannot put files into an /etc of its own:", err)
	os.Exit(125)
}

// mountEtc puts the files of dir, and links to all that is in /etc, in the place of /etc, in a mount namespace of this thread's
// own. The thread must exec next.
func mountEtc(dir string) error {
	runtime.LockOSThread()
	real, mine := dir+".real", dir+".all"
	for _, d := range []string{real, mine} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return fmt.Errorf("unshare: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("/etc", real, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mount /etc elsewhere: %w", err)
	}
	for _, from := range []string{dir, real} { // the first one holds
		entries, err := os.ReadDir(from)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(mine, e.Name())); err != nil && !os.IsExist(err) {
				return err
			}
		}
	}
	return unix.Mount(mine, "/etc", "", unix.MS_BIND, "")
}

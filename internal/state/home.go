// Package state is the user's state home: what Lorimer remembers between two processes that know nothing of each other. It
// holds the trust records, the log of loud lines and a directory for each session; all of it is the user's alone (0700, 0600).
//
// Whatever is kept here may be gone or garbage at any time, and then it counts as unknown: never as "trusted", never as "dead".
package state

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// UserHome is the variable by which a session that was given a HOME of its own (lorimer runtime launch) knows the user's: clones
// lie below that one.
const UserHome = "LORIMER_USER_HOME"

// Home returns the state home. It does not create it. The first of these holds:
//
//   - $LORIMER_HOME, which must be absolute;
//   - <dir>, when the running executable is <dir>/bin/<name> and <dir>/trusted exists: that is how a dispatcher that a host
//     starts with an environment of its own finds its way back;
//   - $XDG_STATE_HOME/lorimer;
//   - ~/.local/state/lorimer, on Windows %LOCALAPPDATA%\lorimer.
func Home() (string, error) {
	return homeOf(os.Getenv, executable, runtime.GOOS)
}

var running struct {
	once sync.Once
	path string
}

// executable is the running program's path. The system is asked once; unknown = "".
func executable() string {
	running.once.Do(func() { running.path, _ = os.Executable() })
	return running.path
}

func homeOf(getenv func(string) string, exe func() string, goos string) (string, error) {
	if dir := getenv("LORIMER_HOME"); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("LORIMER_HOME is %q; expected an absolute path", dir)
		}
		return filepath.Clean(dir), nil
	}
	if dir := installedIn(exe()); dir != "" {
		return dir, nil
	}
	// A relative XDG path has to be ignored, its specification says.
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "lorimer"), nil
	}
	if dir := getenv("LOCALAPPDATA"); goos == "windows" && dir != "" {
		return filepath.Join(dir, "lorimer"), nil
	}
	if dir := getenv("HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, ".local", "state", "lorimer"), nil
	}
	return "", fmt.Errorf("no state home: neither LORIMER_HOME, XDG_STATE_HOME nor HOME is set; set LORIMER_HOME to an absolute path")
}

func installedIn(exe string) string {
	bin := filepath.Dir(exe)
	if exe == "" || filepath.Base(bin) != "bin" {
		return ""
	}
	home := filepath.Dir(bin)
	if info, err := os.Stat(filepath.Join(home, "trusted")); err != nil || !info.IsDir() {
		return ""
	}
	return home
}

//go:build unix

package platform

import (
	"errors"
	"os"
	"syscall"
)

// What the type Windows asks of a system that is not there.

var errNotWindows = errors.New("this needs Windows")

func windowsAttr() *syscall.SysProcAttr                    { return &syscall.SysProcAttr{} }
func cimHidden([]string, string) (int, bool, error)        { return 0, false, errNotWindows }
func detachedHidden([]string, string, string) (int, error) { return 0, errNotWindows }
func windowsCtime(int) (Ctime, bool)                       { return 0, false }
func windowsProcesses() []Process                          { return nil }
func windowsTerminate(int) bool                            { return false }
func windowsAlive(int) (bool, Ctime)                       { return false, 0 }
func taskkill(int) *int                                    { return nil }
func visibleWindows() ([]Window, bool)                     { return nil, false }
func findCygpath() string                                  { return "" }
func cygpath(string, string) (string, error)               { return "", errNotWindows }

func renameNoReplace(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: os.ErrExist}
	}
	return errNotWindows
}

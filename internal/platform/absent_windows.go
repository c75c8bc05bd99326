package platform

import (
	"errors"
	"syscall"
)

// What the type Posix asks of a system that is not there.

var errNotPosix = errors.New("this needs a POSIX system")

func posixAttr(bool) *syscall.SysProcAttr          { return &syscall.SysProcAttr{} }
func posixKill(int) bool                           { return false }
func posixAsk(int)                                 {}
func setsid([]string, string, string) (int, error) { return 0, errNotPosix }
func posixCtime(int) (Ctime, bool)                 { return 0, false }
func posixCtimeOf(float64) (Ctime, bool)           { return 0, false }
func posixAlive(int) bool                          { return false }
func posixProcesses() []Process                    { return nil }
func posixEnviron(string) []Process                { return nil }

// Stage does nothing here: Windows needs no second fork.
func Stage() {}

//go:build unix

package platform

import (
	"errors"
	"syscall"
)

func posixAttr(newGroup bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: newGroup} }

func posixKill(pid int) bool { return syscall.Kill(pid, syscall.SIGKILL) == nil }

func posixAsk(pid int) { syscall.Kill(pid, syscall.SIGTERM) }

// answers says whether pid is there at all. A process that we may not signal is.
func answers(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

package dispatch

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes: a session of its own, and an end with ours, however that comes: a host that gives up kills the dispatcher, and a
// test run that nobody waits for any more should not go on.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// pipe returns the reading and the writing end. No other handler inherits them.
func pipe() (ends [2]int, err error) {
	err = unix.Pipe2(ends[:], unix.O_CLOEXEC)
	return ends, err
}

package dispatch

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes: a session of its own, and an end with ours, however that comes: a host that gives up kills the dispatcher, and a
// test run that nobody waits for any more should not go on.
// handle becomes a descriptor that poll(2) finds readable when the process has ended; it stays -1 where the kernel is older than that.
func attributes(handle *int) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL, PidFD: handle}
}

// pipe returns the reading and the writing end. No other handler inherits them.
func pipe() (ends [2]int, err error) {
	err = unix.Pipe2(ends[:], unix.O_CLOEXEC)
	return ends, err
}

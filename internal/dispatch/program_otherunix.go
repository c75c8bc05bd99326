//go:build unix && !linux

package dispatch

import "syscall"

// attributes: a session of its own. There is no handle that poll(2) waits for.
func attributes(*int) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// pipe returns the reading and the writing end. No other handler inherits them: the lock keeps one from being started in between.
func pipe() (ends [2]int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := syscall.Pipe(ends[:]); err != nil {
		return ends, err
	}
	syscall.CloseOnExec(ends[0])
	syscall.CloseOnExec(ends[1])
	return ends, nil
}

//go:build unix

package state

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock takes the lock on an open file, or says at once why not. It ends with the file's closing, and so with the process.
func lock(file *os.File) error { return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// isHeld says whether the lock is somebody else's, so that it is worth to try again.
func isHeld(err error) bool { return errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) }

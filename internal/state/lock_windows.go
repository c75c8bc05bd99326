package state

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock takes the lock on an open file, or says at once why not. It ends with the file's closing, and so with the process.
// Windows lets nobody else read or write what is locked, so it is a byte far behind everything that is.
func lock(file *os.File) error {
	behind := windows.Overlapped{OffsetHigh: 0x7fffffff}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &behind)
}

// isHeld says whether the lock is somebody else's, so that it is worth to try again.
func isHeld(err error) bool { return errors.Is(err, windows.ERROR_LOCK_VIOLATION) }

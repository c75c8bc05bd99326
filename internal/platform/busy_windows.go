package platform

import (
	"errors"

	"golang.org/x/sys/windows"
)

// Busy says whether an operation on a file failed only because somebody has it open, or is about to be rid of it, right now.
func Busy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

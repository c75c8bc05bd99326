package platform

import (
	"time"

	"golang.org/x/sys/unix"
)

// Uptime is a clock that nobody sets and that stands still while the machine sleeps.
func Uptime() (time.Duration, bool) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}

//go:build unix

package dispatch

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// patient bounds how long a host's pipe is read from. It waits with poll(2), so no second thread is needed; a reader that is
// no file is a test's, and is returned as it is.
func patient(r io.Reader, limit time.Duration) io.Reader {
	f, ok := r.(*os.File)
	if !ok {
		return r
	}
	return &hostPipe{f, time.Now().Add(limit)}
}

type hostPipe struct {
	file  *os.File
	until time.Time
}

// Read returns errOpen when nothing more has come by then.
func (p *hostPipe) Read(b []byte) (int, error) {
	fds := []unix.PollFd{{Fd: int32(p.file.Fd()), Events: unix.POLLIN}}
	for {
		left := time.Until(p.until).Milliseconds()
		n, err := unix.Poll(fds, int(max(left, 0)))
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil || n > 0: // what poll cannot wait for is read at once
			return p.file.Read(b)
		case left <= 0:
			return 0, errOpen
		}
	}
}

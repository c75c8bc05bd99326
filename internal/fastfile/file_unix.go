//go:build unix

package fastfile

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Open is os.OpenFile for regular files: reads and writes of anything that can make one wait hold a thread up.
func Open(path string, flags int, mode fs.FileMode) (*os.File, error) {
	fd, err := open(path, flags, mode)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// most is how much is read: what never ends, such as a device, must not fill the memory.
const most = 64 << 20

// Read is os.ReadFile, also of files that grow meanwhile; but it waits for nobody who writes to a pipe, and ends.
func Read(path string) ([]byte, error) {
	fd, err := open(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(fd) }()
	src := make([]byte, 0, 2<<10)
	for {
		n, err := unix.Read(fd, src[len(src):cap(src)])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return src, &fs.PathError{Op: "read", Path: path, Err: err}
		case n == 0:
			return src, nil
		}
		src = src[:len(src)+n]
		if len(src) > most {
			return nil, &fs.PathError{Op: "read", Path: path, Err: unix.EFBIG}
		}
		if len(src) == cap(src) {
			src = append(src, make([]byte, len(src))...)[:len(src)]
		}
	}
}

func open(path string, flags int, mode fs.FileMode) (int, error) {
	for {
		fd, err := unix.Open(path, flags|unix.O_CLOEXEC, uint32(mode.Perm()))
		if err == unix.EINTR { // errors.Is would have the runtime look types up, a hundredth of a dispatch
			continue
		}
		if err != nil {
			return -1, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		return fd, nil
	}
}

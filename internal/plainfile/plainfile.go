// Package plainfile reads small files that others write, whatever lies there instead of one: a directory, a pipe that nobody
// writes to, a link that goes round in circles, a disk image. Nothing here hangs, and nothing reads without a limit.
package plainfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read returns the content of a regular file of at most limit bytes. The error says what is there instead.
func Read(path string, limit int64) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is no file, but %s", kind(info.Mode()))
	}
	src, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(src)) > limit {
		err = fmt.Errorf("it is larger than %d bytes", limit)
	}
	if err != nil {
		return nil, err
	}
	return src, nil
}

func kind(m os.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&os.ModeNamedPipe != 0:
		return "a pipe"
	case m&os.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// Most is how much of a file is read where nothing says otherwise: more than any settings file or script of a person's, and less than
// what a machine would choke on.
const Most = 16 << 20

// Settings reads a file that a person wrote. The error names it.
func Settings(path string) ([]byte, error) {
	src, err := Read(path, Most)
	var named *fs.PathError
	if err != nil && !errors.As(err, &named) {
		err = &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return src, err
}

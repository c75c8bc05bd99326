package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// Append adds one line to a file and has it on the disk before it returns: one write at the end, so that lines of several
// processes do not mix. A line that a crash left half written is taken off first, and returned.
func (d *Dir) Append(path string, record any) (torn []byte, err error) {
	line, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	if err := d.before("append", path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if torn, err = mend(f); err != nil {
		return torn, err
	}
	if _, err = f.Write(append(line, '\n')); err != nil {
		return torn, err
	}
	return torn, f.Sync()
}

// mend ends the file with a whole line. What follows the last newline is a record that only misses its newline, and gets it,
// or a torn one, and goes.
func mend(f *os.File) (torn []byte, err error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return nil, err
	}
	tail, start, err := afterLastNewline(f, size)
	switch {
	case err != nil || len(tail) == 0:
		return nil, err
	case json.Valid(tail):
		_, err = f.Write([]byte("\n"))
		return nil, err
	}
	return tail, f.Truncate(start)
}

// afterLastNewline reads backwards, a block at a time.
func afterLastNewline(f io.ReaderAt, size int64) (tail []byte, start int64, err error) {
	const block = 4096
	for start = size; start > 0; {
		n := min(block, start)
		b := make([]byte, n)
		if _, err := f.ReadAt(b, start-n); err != nil {
			return nil, 0, err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return append(b[i+1:], tail...), start - n + int64(i) + 1, nil
		}
		tail, start = append(b, tail...), start-n
	}
	return tail, 0, nil
}

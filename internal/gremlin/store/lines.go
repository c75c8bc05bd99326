package store

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// Lines calls f with each whole line of a file that is not empty, without its newline; the bytes are valid during the call alone.
// It returns what follows the last newline: a torn line, unless empty. A file that is not there has no lines. However long the
// file is, no more of it than its longest line is in memory at once.
func Lines(path string, f func(line []byte) error) (torn []byte, err error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 64<<10)
	var long []byte
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) || len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return bytes.Clone(line), nil
		case err != nil:
			return nil, err
		case len(line) > 1:
			if err := f(line[:len(line)-1]); err != nil {
				return nil, err
			}
		}
		long = long[:0]
	}
}

// Part is some of the lines of a file.
type Part struct {
	N     int    // its place among the parts, from 0
	Lines []byte // each with its newline
}

// partSize is about how long a part is, in bytes: long enough that asking for it costs nothing beside reading it, short enough
// to stay in a processor's own memory.
const partSize = 512 << 10

// Parts gives the whole lines of a file to several workers at once, each of which calls f with one part after another; a part is
// valid during that call alone. It returns what follows the last newline, and the first error of f. A file that is not there has
// no lines. What is appended meanwhile is not seen; nothing else ever happens to a whole line of the ledger.
func Parts(path string, workers int, f func(worker int, p Part) error) (torn []byte, err error) {
	return parts(path, workers, partSize, f)
}

func parts(path string, workers int, size int64, f func(worker int, p Part) error) (torn []byte, err error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	torn, end, err := afterLastNewline(file, all)
	if err != nil {
		return nil, err
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, workers)
	for w := range workers {
		wg.Go(func() {
			r := partReader{file: file, end: end, size: size}
			for errs[w] == nil {
				n := next.Add(1) - 1
				if n*size >= end {
					return
				}
				var lines []byte
				if lines, errs[w] = r.read(n); errs[w] == nil {
					errs[w] = f(w, Part{int(n), lines})
				}
			}
			next.Add(end) // the others need not go on
		})
	}
	wg.Wait()
	return torn, errors.Join(errs...)
}

// partReader reads parts of the first end bytes of a file, which end with a newline. A part has the lines that begin in its
// stretch of size bytes.
type partReader struct {
	file      io.ReaderAt
	end, size int64
	buf       []byte
}

// read gives part n. It looks at the byte before the stretch too: only a newline there tells that a line begins with the stretch.
func (r *partReader) read(n int64) ([]byte, error) {
	from := max(0, n*r.size-1)
	last := min((n+1)*r.size, r.end) - 1 // of the stretch
	for more := int64(4096); ; more *= 2 {
		have := min(r.end-from, last-from+more)
		if int64(cap(r.buf)) < have {
			r.buf = make([]byte, have, have+have/4)
		}
		r.buf = r.buf[:have]
		if _, err := r.file.ReadAt(r.buf, from); err != nil {
			return nil, err
		}
		stop := bytes.IndexByte(r.buf[last-from:], '\n')
		if stop < 0 { // its last line is longer than that
			continue
		}
		begin := 0
		if n > 0 {
			begin = bytes.IndexByte(r.buf, '\n') + 1
		}
		return r.buf[begin : last-from+int64(stop)+1], nil
	}
}

package state

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fastfile"
)

// Edit lets f make new bytes of a file's old ones, while no other process does the same. The file and its directory are made
// when they are not there. wait is how long the lock is waited for: it is held for some microseconds, and who holds it for
// longer was stopped. The file is written in place, because a new one would not carry the lock; a process that is ended in
// the middle leaves it cut short.
func Edit(path string, wait time.Duration, f func(old []byte) []byte) error {
	file, err := Open(path)
	if err != nil {
		return err
	}
	return file.Edit(wait, f)
}

// File is a file that was opened to be edited later.
type File struct{ file *os.File }

// Open opens a file for Edit, and makes it and its directory when they are not there.
func Open(path string) (File, error) {
	file, err := openForEdit(path)
	return File{file}, err
}

// Read returns what stands in the file now. Another process may be about to change it.
func (f File) Read() ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(f.file, 0, 1<<62))
}

// Edit is the function Edit for a file that is open, and closes it.
func (f File) Edit(wait time.Duration, edit func(old []byte) []byte) error {
	defer f.file.Close() // and with it the lock ends
	if err := lockWithin(f.file, wait); err != nil {
		return fmt.Errorf("%s: not locked: %w", f.file.Name(), err)
	}
	src, err := f.Read()
	if err != nil {
		return err
	}
	data := edit(src)
	if _, err := f.file.WriteAt(data, 0); err != nil || len(data) >= len(src) {
		return err
	}
	return f.file.Truncate(int64(len(data)))
}

func openForEdit(path string) (*os.File, error) {
	const flags = os.O_RDWR | os.O_CREATE
	file, err := fastfile.Open(path, flags, 0o600)
	if os.IsNotExist(err) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		file, err = fastfile.Open(path, flags, 0o600)
	}
	return file, err
}

// lockWithin takes the lock, or gives up after a time.
func lockWithin(file *os.File, limit time.Duration) error {
	for end := time.Now().Add(limit); ; time.Sleep(500 * time.Microsecond) {
		err := lock(file)
		if err == nil || !isHeld(err) || time.Now().After(end) {
			return err
		}
	}
}

package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Change is what a write does to one file.
type Change struct {
	Path string `json:"path"`
	Does string `json:"does"` // create, change, nothing
	Text []byte `json:"-"`
	old  []byte
}

// Disk is where an overlay is written. OS is the real one.
type Disk struct {
	Read   func(path string) ([]byte, error)
	Write  func(path string, data []byte) error // all of it or nothing
	Remove func(path string) error
}

// OS is the disk of this machine. Files are 0600: an agent's config may hold keys.
var OS = Disk{Read: readPlain, Write: writeWhole, Remove: os.Remove}

// Plan says what Write would do. An error says what is refused: nothing that cannot be read is ever replaced.
func (o Overlay) Plan(disk Disk) (changes []Change, err error) {
	for _, f := range o.Files {
		old, err := disk.Read(f.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w; nothing was written", f.Path, err)
		}
		c := Change{Path: f.Path, Does: "create", old: old}
		if c.Text, err = o.gate.merge(f, old); err != nil {
			return nil, err
		}
		switch {
		case old != nil && bytes.Equal(old, c.Text):
			c.Does = "nothing"
		case old != nil:
			c.Does = "change"
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// Write writes all files of the overlay or none: when one cannot be written, those before it are as they were.
func (o Overlay) Write(disk Disk) ([]Change, error) {
	changes, err := o.Plan(disk)
	if err != nil {
		return nil, err
	}
	for i, c := range changes {
		if c.Does == "nothing" {
			continue
		}
		if err := disk.Write(c.Path, c.Text); err != nil {
			return nil, errors.Join(fmt.Errorf("write the gate: %w; nothing was changed", err), back(disk, changes[:i]))
		}
	}
	return changes, nil
}

// back undoes what was written.
func back(disk Disk, done []Change) (err error) {
	for _, c := range done {
		var failed error
		switch c.Does {
		case "create":
			failed = disk.Remove(c.Path)
		case "change":
			failed = disk.Write(c.Path, c.old)
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s could not be put back as it was: %w", c.Path, failed))
		}
	}
	return err
}

// readPlain reads a regular file; a link is not followed, because the file behind it is somebody else's.
func readPlain(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file; move it away")
	}
	data, err := os.ReadFile(path)
	if data == nil {
		data = []byte{}
	}
	return data, err
}

// writeWhole writes beside the file and renames, so that a reader sees the old text or the new one.
func writeWhole(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".lorimer-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

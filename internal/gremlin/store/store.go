// Package store keeps a run's state on disk so that a crash at any instant leaves each file old or new, never torn, and two
// commands at once lose nothing.
//
// There are three kinds of files: documents, which are replaced whole ([Dir.Write]); the ledger, which only grows
// ([Dir.Append]); and locks ([Dir.Lock]). Package store knows nothing of what they say.
package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lorimer-dev/lorimer/internal/platform"
)

// Dir is a state directory.
type Dir struct {
	Path     string
	Platform platform.Platform

	// Before is called before each change of the disk; an error of it is that operation's. Tests end the process there. nil =
	// nothing is called.
	Before func(op, path string) error
}

// Open names a state directory. It makes nothing.
func Open(path string, p platform.Platform) *Dir { return &Dir{Path: path, Platform: p} }

// File is the path of a file of the directory.
func (d *Dir) File(name ...string) string { return filepath.Join(append([]string{d.Path}, name...)...) }

func (d *Dir) before(op, path string) error {
	if d.Before == nil {
		return nil
	}
	return d.Before(op, path)
}

// Mkdir makes a directory below, 0700, with its parents.
func (d *Dir) Mkdir(name ...string) error {
	path := d.File(name...)
	if err := d.before("mkdir", path); err != nil {
		return err
	}
	return os.MkdirAll(path, 0o700)
}

// Write replaces a file whole: written aside, on the disk before it gets its name.
func (d *Dir) Write(path string, data []byte) error {
	aside, err := d.aside(path, data)
	if err != nil {
		return err
	}
	if err = d.before("rename", path); err == nil {
		err = insist(func() error { return os.Rename(aside, path) })
	}
	if err != nil {
		os.Remove(aside)
		return err
	}
	return d.syncDir(filepath.Dir(path))
}

// aside writes data to a new file beside path, and has it on the disk.
func (d *Dir) aside(path string, data []byte) (name string, err error) {
	if err := d.before("create", path); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.new")
	if err != nil {
		return "", err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			os.Remove(f.Name())
		}
	}()
	if err = d.before("write", path); err != nil {
		return "", err
	}
	if _, err = f.Write(data); err != nil {
		return "", err
	}
	return f.Name(), f.Sync()
}

// syncDir makes a rename last. Systems that cannot sync a directory do not need it.
func (d *Dir) syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// WriteJSON replaces a file by a document, indented, with a final newline.
func (d *Dir) WriteJSON(path string, doc any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return d.Write(path, b.Bytes())
}

// ReadJSON fills doc. A file that is not there is an error that is [fs.ErrNotExist].
func ReadJSON(path string, doc any) error {
	b, err := readFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, doc); err != nil {
		return fmt.Errorf("%s is not the JSON that we write there: %w; move it away or restore it", path, err)
	}
	return nil
}

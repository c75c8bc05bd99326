// Package clonefs is the only way in which materialize touches a clone: never through a link that leads out, never half a
// file.
//
// Paths are slash paths below the clone's root. Links are followed as long as they stay inside, one by one and by us, so
// that an error can name the link; all access goes through an os.Root, so that a link that is put there in between cannot
// lead out either. A file is written beside its final place and renamed. Hook sees every change before it is made: it is how
// tests make the n-th operation fail.
package clonefs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/clonedir"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// FS is one clone.
type FS struct {
	Dir  string // absolute, links resolved
	Hook func(op Op, path string) error

	root *os.Root
	own  *os.Root // what lies below ownDir, when that is not in Dir; nil = it is
	what string   // Dir, in messages
	seen *looks   // nil = everything is looked at anew
}

// Op is a change that is about to be made.
type Op string

const (
	Mkdir  Op = "mkdir"
	Create Op = "create" // of a temporary file
	Write  Op = "write"  // when Hook fails, half of the bytes are written
	Sync   Op = "sync"
	Rename Op = "rename"
	Remove Op = "remove"
)

// Open opens a clone. The caller closes it.
func Open(dir string) (*FS, error) {
	real, err := clonedir.Real(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	return &FS{Dir: real, root: root, what: "the clone"}, nil
}

// ownDir is our own directory, as paths have it.
const ownDir = ".lorimer"

// OpenHome opens the user's home, as a place where an agent's own files lie: what paths have below .lorimer lies in the
// directory own instead, which is made when it is not there. The caller closes it.
func OpenHome(home, own string) (*FS, error) {
	f, err := Open(home)
	if err != nil {
		return nil, err
	}
	f.what = "your home"
	if err = os.MkdirAll(own, 0o700); err == nil {
		f.own, err = os.OpenRoot(own)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// at returns where a path lies.
func (f *FS) at(path string) (*os.Root, string) {
	if rest, below := strings.CutPrefix(path, ownDir); f.own != nil && below && (rest == "" || rest[0] == '/') {
		return f.own, cmp.Or(strings.TrimPrefix(rest, "/"), ".")
	}
	return f.root, path
}

// Close gives the clone back.
func (f *FS) Close() error {
	f.Act()
	if f.own != nil {
		f.own.Close()
	}
	return f.root.Close()
}

func (f *FS) before(op Op, path string) error {
	f.Act()
	if f.Hook == nil {
		return nil
	}
	return f.Hook(op, path)
}

// Read returns a file's bytes and mode; nil and no error when there is none. path must be one that Resolve returned.
func (f *FS) Read(path string) ([]byte, fs.FileInfo, error) {
	if f.seen == nil {
		return f.read(path)
	}
	s, ok := f.seen.files[path]
	if !ok {
		s.data, s.info, s.err = f.read(path)
		f.seen.files[path] = s
	}
	return s.data, s.info, s.err
}

func (f *FS) read(path string) ([]byte, fs.FileInfo, error) {
	info, err := f.lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is %s; expected a file", path, kind(info.Mode()))
	}
	if info.Size() > plainfile.Most {
		return nil, nil, fmt.Errorf("%s has %d bytes; expected at most %d", path, info.Size(), plainfile.Most)
	}
	root, at := f.beside(path)
	data, err := root.ReadFile(at)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, info, err
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeSymlink != 0:
		return "a link"
	}
	return "neither a file nor a directory"
}

// IsDir says whether there is a directory at the path.
func (f *FS) IsDir(path string) bool {
	info, err := f.lstat(path)
	return err == nil && info.IsDir()
}

// Exists says whether there is anything at the path, a link included.
func (f *FS) Exists(path string) bool {
	_, err := f.lstat(path)
	return err == nil
}

// Mkdir makes one directory.
func (f *FS) Mkdir(path string) error {
	if err := f.before(Mkdir, path); err != nil {
		return err
	}
	root, path := f.at(path)
	return root.Mkdir(path, 0o755)
}

// Remove removes a file, or a directory that is empty. What is gone already is no error.
func (f *FS) Remove(path string) error {
	if !f.Exists(path) {
		return nil
	}
	if err := f.before(Remove, path); err != nil {
		return err
	}
	root, path := f.at(path)
	if err := root.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Empty says whether the path is a directory with nothing in it.
func (f *FS) Empty(path string) bool {
	root, at := f.at(path)
	if at == "." {
		return false // it is not ours to remove
	}
	names, err := fs.ReadDir(root.FS(), at)
	return err == nil && len(names) == 0 && f.IsDir(path)
}

// Names returns what is in a directory; nothing when there is none.
func (f *FS) Names(path string) []string {
	root, path := f.at(path)
	entries, _ := fs.ReadDir(root.FS(), path)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

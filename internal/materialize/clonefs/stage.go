package clonefs

import (
	"io/fs"
	"os"
	"path"
)

// Staged is a file that is written, but not yet in its place.
type Staged struct {
	fs   *FS
	path string
	temp string
	keep Keep
}

// TempSuffix ends the name of every file that is not in its place yet.
const TempSuffix = ".lorimer-tmp"

// TempName returns where a file is written before it is renamed to path. The name is always the same, so that the next run
// finds what a run that was cut short has left.
func TempName(p string) string {
	return path.Join(path.Dir(p), "."+path.Base(p)+TempSuffix)
}

// Options of a file that is staged.
type Options struct {
	Mode fs.FileMode // of a new file, before the umask; a file that is replaced keeps its mode and owner
	Keep Keep
}

// Keep is what of a file survives a power cut. Whatever dies but the machine, a file is the old or the new one in any case.
type Keep int

const (
	// Remade: the file may be there with nothing in it, since its bytes can be made again.
	Remade Keep = iota
	// Entire: it is the old or the new one, but which of them is not known.
	Entire
	// Durable: it is the new one from Commit on, before anything that comes after it.
	Durable
)

// Stage writes the bytes beside their place. path must be one that Resolve returned, in a directory that exists.
func (f *FS) Stage(p string, data []byte, o Options) (*Staged, error) {
	s := &Staged{fs: f, path: p, temp: TempName(p), keep: o.Keep}
	d, done, err := f.dirOf(p)
	if err != nil {
		return nil, err
	}
	defer done()
	file, err := s.create(d, o.Mode)
	if err != nil {
		return nil, err
	}
	if err := s.fill(d, file, data); err != nil {
		file.Close()
		_ = s.Discard() // the first error says more
		return nil, err
	}
	return s, file.Close()
}

// dirOf opens the directory that a file lies in: what is done there at once walks there once. done gives it back.
func (f *FS) dirOf(p string) (d *os.Root, done func(), err error) {
	root, at := f.at(p)
	dir := path.Dir(at)
	if dir == "." {
		return root, func() {}, nil
	}
	if d, err = root.OpenRoot(dir); err != nil {
		return nil, nil, err
	}
	return d, func() { _ = d.Close() }, nil
}

// create makes the temporary file, in place of one that a run which was cut short has left.
func (s *Staged) create(d *os.Root, mode fs.FileMode) (*os.File, error) {
	temp := path.Base(s.temp)
	if _, err := d.Lstat(temp); err == nil {
		if err := s.fs.before(Remove, s.temp); err != nil {
			return nil, err
		}
		if err := d.Remove(temp); err != nil {
			return nil, err
		}
	}
	if err := s.fs.before(Create, s.temp); err != nil {
		return nil, err
	}
	return d.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

func (s *Staged) fill(d *os.Root, file *os.File, data []byte) error {
	if err := s.fs.before(Write, s.temp); err != nil {
		_, _ = file.Write(data[:len(data)/2])
		return err
	}
	if _, err := file.Write(data); err != nil {
		return err
	}
	if old, err := d.Lstat(path.Base(s.path)); err == nil {
		if err := file.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
		keepOwner(file, old)
	}
	if s.keep == Remade {
		return nil
	}
	if err := s.fs.before(Sync, s.temp); err != nil {
		return err
	}
	return file.Sync()
}

// Commit puts the file into its place, in one step.
func (s *Staged) Commit() error {
	if err := s.fs.before(Rename, s.path); err != nil {
		return err
	}
	d, done, err := s.fs.dirOf(s.path)
	if err != nil {
		return err
	}
	defer done()
	if err := d.Rename(path.Base(s.temp), path.Base(s.path)); err != nil {
		return err
	}
	if s.keep != Durable {
		return nil
	}
	return s.fs.syncDir(path.Dir(s.path))
}

// Discard takes the file away again.
func (s *Staged) Discard() error { return s.fs.Remove(s.temp) }

// Replace writes a file in one step.
func (f *FS) Replace(p string, data []byte, o Options) error {
	s, err := f.Stage(p, data, o)
	if err != nil {
		return err
	}
	if err := s.Commit(); err != nil {
		_ = s.Discard()
		return err
	}
	return nil
}

package clonefs

import (
	"io/fs"
	"os"
	"path"
)

// Staged is a file that is written, but not yet in its place.
type Staged struct {
	fs      *FS
	path    string
	temp    string
	durable bool
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
	Mode    fs.FileMode // of a new file, before the umask; a file that is replaced keeps its mode and owner
	Durable bool        // survives a power cut from Commit on
}

// Stage writes the bytes beside their place. path must be one that Resolve returned, in a directory that exists.
func (f *FS) Stage(p string, data []byte, o Options) (*Staged, error) {
	s := &Staged{fs: f, path: p, temp: TempName(p), durable: o.Durable}
	if err := f.Remove(s.temp); err != nil {
		return nil, err
	}
	if err := f.before(Create, s.temp); err != nil {
		return nil, err
	}
	root, temp := f.at(s.temp)
	file, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, o.Mode)
	if err != nil {
		return nil, err
	}
	if err := s.fill(file, data); err != nil {
		file.Close()
		_ = s.Discard() // the first error says more
		return nil, err
	}
	return s, file.Close()
}

func (s *Staged) fill(file *os.File, data []byte) error {
	if err := s.fs.before(Write, s.temp); err != nil {
		_, _ = file.Write(data[:len(data)/2])
		return err
	}
	if _, err := file.Write(data); err != nil {
		return err
	}
	if old, err := s.fs.lstat(s.path); err == nil {
		if err := file.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
		keepOwner(file, old)
	}
	if !s.durable {
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
	root, to := s.fs.at(s.path)
	_, temp := s.fs.at(s.temp)
	if err := root.Rename(temp, to); err != nil {
		return err
	}
	if !s.durable {
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

package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff compares the set with what is in dir and returns one unified diff, empty when they are the same. A file in dir that
// is not in the set is an orphan, and shows as removed.
func (s *Set) Diff(dir string) ([]byte, error) {
	old, err := read(dir)
	if err != nil {
		return nil, err
	}
	return s.diff(old), nil
}

func (s *Set) diff(old map[string][]byte) []byte {
	var out bytes.Buffer
	for _, p := range s.paths(old) {
		now, _ := s.lookup(p)
		if was, there := old[p]; !there || !bytes.Equal(was, now) {
			out.Write(diff.Diff("a/"+p, was, "b/"+p, now))
		}
	}
	return out.Bytes()
}

// DiffOwn is Diff for a dir that holds other people's files, too: nothing but the set's own is looked at.
func (s *Set) DiffOwn(dir string) ([]byte, error) {
	old, err := s.readOwn(dir)
	if err != nil {
		return nil, err
	}
	return s.diff(old), nil
}

// WriteOwn writes the set into a dir that holds other people's files, too. A file that is the same already is left alone.
func (s *Set) WriteOwn(dir string) error {
	old, err := s.readOwn(dir)
	if err != nil {
		return err
	}
	return s.write(dir, old)
}

// Write makes dir hold the set and nothing else. Everything is written beside its place first; only when all of that has
// worked are the files renamed into place and orphans removed, so that an error (no space, no right) leaves dir as it was.
func (s *Set) Write(dir string) error {
	old, err := read(dir)
	if err != nil {
		return err
	}
	if err := s.write(dir, old); err != nil {
		return err
	}
	return s.sweep(dir, old)
}

func (s *Set) write(dir string, old map[string][]byte) error {
	var staged []string
	defer func() {
		for _, p := range staged {
			_ = os.Remove(p + suffix) // left only when something failed
		}
	}()
	for _, f := range s.files {
		if was, there := old[f.Path]; there && bytes.Equal(was, f.Data) {
			continue
		}
		place := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := stage(place, f.Data); err != nil {
			return fmt.Errorf("nothing was written: %w", err)
		}
		staged = append(staged, place)
	}
	for _, p := range staged {
		if err := os.Rename(p+suffix, p); err != nil {
			return err
		}
	}
	return nil
}

const suffix = ".lorimer-new"

func stage(place string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	return os.WriteFile(place+suffix, data, 0o644)
}

// sweep removes files that the generator no longer emits, and the folders that this empties.
func (s *Set) sweep(dir string, old map[string][]byte) error {
	for p := range old {
		if _, wanted := s.lookup(p); wanted {
			continue
		}
		place := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.Remove(place); err != nil {
			return err
		}
		for parent := filepath.Dir(place); parent != filepath.Clean(dir) && os.Remove(parent) == nil; parent = filepath.Dir(parent) {
		}
	}
	return nil
}

func (s *Set) lookup(p string) ([]byte, bool) {
	i, ok := slices.BinarySearchFunc(s.files, p, func(a File, p string) int { return strings.Compare(a.Path, p) })
	if !ok {
		return nil, false
	}
	return s.files[i].Data, true
}

// paths returns the paths of the set and of old together, sorted.
func (s *Set) paths(old map[string][]byte) []string {
	var all []string
	for _, f := range s.files {
		all = append(all, f.Path)
	}
	for p := range old {
		all = append(all, p)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// read returns every file below dir; a dir that does not exist has none.
func read(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && p == dir {
			return fs.SkipAll
		}
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		files[filepath.ToSlash(rel)] = data
		return err
	})
	return files, err
}

// readOwn returns the files below dir that the set has, too.
func (s *Set) readOwn(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, f := range s.files {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files[f.Path] = data
	}
	return files, nil
}

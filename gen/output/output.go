// Package output holds generated files in memory and lets one set be written, compared or printed.
//
// Everything that the generator emits goes through a Set: nothing is on disk before all of it is known, and what check
// compares is what write would write.
package output

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// File is one generated file.
type File struct {
	Path string // slash path below the output folder
	Data []byte
}

// Set is a collection of files with different paths, in path order.
type Set struct {
	files []File
}

// Add puts files into the set. It fails on a path that is taken, absolute, or leads out of the output folder.
func (s *Set) Add(files ...File) error {
	for _, f := range files {
		if !local(f.Path) {
			return fmt.Errorf("generated path %q leads out of the output folder", f.Path)
		}
		at, taken := slices.BinarySearchFunc(s.files, f.Path, func(a File, p string) int { return strings.Compare(a.Path, p) })
		if taken {
			return fmt.Errorf("two emitters write %q", f.Path)
		}
		s.files = slices.Insert(s.files, at, f)
	}
	return nil
}

func local(p string) bool {
	return p != "" && path.Clean(p) == p && !path.IsAbs(p) && p != ".." && !strings.HasPrefix(p, "../") && !strings.Contains(p, `\`)
}

// Files returns the files in path order. The slice is the set's own: read only.
func (s *Set) Files() []File { return s.files }

// Print writes every file to w, each under a line that names it.
func (s *Set) Print(w io.Writer) error {
	for _, f := range s.files {
		if _, err := fmt.Fprintf(w, "==> %s <==\n%s\n", f.Path, f.Data); err != nil {
			return err
		}
	}
	return nil
}

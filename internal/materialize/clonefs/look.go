package clonefs

import (
	"io/fs"
	"os"
	"path"
)

// looks is what was seen of a clone that is only looked at. A plan asks for the same few directories and files dozens of times,
// and each question costs a walk from the root, one system call for every part of the path.
type looks struct {
	real  map[string]string   // what Resolve said
	infos map[string]seenInfo // what Lstat said
	files map[string]seenFile // what Read said
	dirs  map[string]*os.Root // open directories; nil = cannot be opened
}

type seenInfo struct {
	info fs.FileInfo
	err  error
}

type seenFile struct {
	data []byte
	info fs.FileInfo
	err  error
}

// Look begins a time in which the clone is only looked at: what was seen once is not looked for again until Act. Callers must
// not change the bytes that Read returns.
func (f *FS) Look() {
	f.Act()
	f.seen = &looks{map[string]string{}, map[string]seenInfo{}, map[string]seenFile{}, map[string]*os.Root{}}
}

// Act ends it: from here on everything is looked at anew, and every path is walked from the root again.
func (f *FS) Act() {
	if f.seen == nil {
		return
	}
	for _, d := range f.seen.dirs {
		if d != nil {
			_ = d.Close()
		}
	}
	f.seen = nil
}

// lstat looks at what stands at a path.
func (f *FS) lstat(p string) (fs.FileInfo, error) {
	if f.seen == nil {
		root, at := f.at(p)
		return root.Lstat(at)
	}
	if s, ok := f.seen.infos[p]; ok {
		return s.info, s.err
	}
	root, at := f.beside(p)
	info, err := root.Lstat(at)
	f.seen.infos[p] = seenInfo{info, err}
	return info, err
}

// beside returns the open directory that a path lies in, and the path from there: of one that cannot be opened, from farther up.
func (f *FS) beside(p string) (*os.Root, string) {
	root, at := f.at(p)
	if f.seen == nil || path.Dir(at) == "." {
		return root, at
	}
	if d := f.open(path.Dir(p)); d != nil {
		return d, path.Base(p)
	}
	return root, at
}

// open returns a directory that was opened before, or opens it.
func (f *FS) open(dir string) *os.Root {
	d, ok := f.seen.dirs[dir]
	if ok {
		return d
	}
	above, name := f.beside(dir)
	d, err := above.OpenRoot(name)
	if err != nil {
		d = nil
	}
	f.seen.dirs[dir] = d
	return d
}

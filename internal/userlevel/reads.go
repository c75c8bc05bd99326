package userlevel

import (
	"io/fs"
	"os"
	"sync"
)

// reads are the files that this process has read.
var reads = memory{files: map[string]remembered{}}

// memory keeps what stood in a file for as long as it is the same one: files are replaced whole and never changed in place.
type memory struct {
	mu    sync.Mutex
	files map[string]remembered
}

type remembered struct {
	info  os.FileInfo
	clone clone
}

// file reads a file of a directory, unless it is the one that was read before.
func (m *memory) file(path string, e fs.DirEntry) (clone, error) {
	info, err := e.Info()
	if err != nil {
		return clone{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.files[path]; ok && os.SameFile(r.info, info) && r.info.ModTime().Equal(info.ModTime()) && r.info.Size() == info.Size() {
		return r.clone, nil
	}
	c, err := read(path)
	if err == nil {
		m.files[path] = remembered{info, c}
	}
	return c, err
}

package sense

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// record is what is needed here of a clone's ownership record (package owned): which files and directories were not there
// before Lorimer came.
type record struct {
	Version int `json:"version"`
	made
	Next *made `json:"next"` // of a run that did not end
}

type made struct {
	Files []struct {
		Path    string `json:"path"`
		How     string `json:"how"`
		Created bool   `json:"created"`
	} `json:"files"`
	Dirs []string `json:"dirs"`
}

const (
	recordPath    = ".lorimer/owned.json"
	recordVersion = 1
	recordMax     = 4 << 20 // bytes
)

// readRecord reads the record of the workspace; none is an empty one.
func readRecord(root string) (r record, err error) {
	src, err := plainfile.Read(filepath.Join(root, filepath.FromSlash(recordPath)), recordMax)
	if errors.Is(err, fs.ErrNotExist) {
		return record{}, nil
	}
	if err == nil {
		err = json.Unmarshal(src, &r)
	}
	if err == nil && r.Version != recordVersion {
		err = fmt.Errorf("its version is %d, known is %d", r.Version, recordVersion)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", recordPath, err)
	}
	return r, nil
}

// made says whether the path would not be there without Lorimer.
func (r record) isOurs(path string) bool { return r.has(path) || r.Next != nil && r.Next.has(path) }

func (m made) has(path string) bool {
	if slices.Contains(m.Dirs, path) {
		return true
	}
	for _, f := range m.Files {
		if f.Path == path {
			return f.Created || f.How == "whole"
		}
	}
	return false
}

package descriptor

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Load reads every descriptor at the root of fsys and checks each alone and all together. They come in the order of their
// ids. dir is what faults call that folder. The error is a strictyaml.Faults with every fault of every file, or says why the directory cannot be read.
func Load(fsys fs.FS, dir string) ([]*Descriptor, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) { // which calls the folder "."
			err = at.Err
		}
		return nil, fmt.Errorf("%s cannot be read: %w; expected a folder of descriptors, ID.yaml", dir, err)
	}
	var all []*Descriptor
	var ids []string
	var faults strictyaml.Faults
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".yaml"); ok {
			ids = append(ids, id)
		}
		d, err := loadEntry(fsys, dir, e)
		if err := collect(&faults, err); err != nil {
			return nil, err
		}
		if d != nil {
			all = append(all, d)
		}
	}
	faults = append(faults, checkNeighbours(all, ids)...)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return all, nil
}

// LoadFile reads and checks one descriptor. name is what faults call the file; its last part must be the id and ".yaml".
// The error is a strictyaml.Faults with every fault.
func LoadFile(name string, src []byte) (*Descriptor, error) {
	d := new(Descriptor)
	if err := strictyaml.Decode(name, src, d); err != nil {
		return nil, err
	}
	return d, nil
}

// loadEntry reads one entry of the directory; what is no descriptor gives nil.
func loadEntry(fsys fs.FS, dir string, e fs.DirEntry) (*Descriptor, error) {
	name := path.Join(dir, e.Name())
	switch path.Ext(name) {
	case ".yml":
		return nil, strictyaml.Faults{{File: name, What: "nobody reads this file", Expected: "a name that ends in .yaml"}}
	case ".yaml":
		src, err := fs.ReadFile(fsys, e.Name())
		if err != nil {
			return nil, fmt.Errorf("read descriptor: %w", err)
		}
		return LoadFile(name, src)
	}
	return nil, nil
}

// collect adds the faults of err to all. Any other error comes back.
func collect(all *strictyaml.Faults, err error) error {
	var faults strictyaml.Faults
	if errors.As(err, &faults) {
		*all = append(*all, faults...)
		return nil
	}
	return err
}

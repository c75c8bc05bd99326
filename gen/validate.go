package gen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/harnesses"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Validate checks descriptor files, or the built-in ones when there are none: everything that generating would refuse.
// It returns their faults (nil when there are none) and how many files were looked at; err is set when a file cannot be
// read at all.
func Validate(files []string) (faults error, n int, err error) {
	if len(files) == 0 {
		return validateBuiltIn()
	}
	var all strictyaml.Faults
	var descriptors []*descriptor.Descriptor
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, 0, fmt.Errorf("read descriptor: %w", err)
		}
		d, err := descriptor.LoadFile(filepath.ToSlash(f), src)
		if !collect(&all, err) {
			descriptors = append(descriptors, d)
		}
	}
	if len(all) == 0 {
		collect(&all, generate(descriptors))
	}
	return all.Err(), len(files), nil
}

func validateBuiltIn() (faults error, n int, err error) {
	files, err := fs.Glob(harnesses.FS, "*.yaml")
	if err != nil {
		return nil, 0, err
	}
	_, faults = Files(harnesses.FS, "harnesses")
	return faults, len(files), nil
}

// generate builds everything and throws it away: what cannot be emitted is a fault of the descriptor.
func generate(descriptors []*descriptor.Descriptor) error {
	p, err := plan.Build(descriptors)
	if err != nil {
		return err
	}
	_, err = emit(p)
	return err
}

// collect adds the faults of err and says whether there was one.
func collect(all *strictyaml.Faults, err error) bool {
	var faults strictyaml.Faults
	switch {
	case err == nil:
		return false
	case errors.As(err, &faults):
		*all = append(*all, faults...)
	default:
		*all = append(*all, strictyaml.Fault{File: "generate", What: err.Error()})
	}
	return true
}

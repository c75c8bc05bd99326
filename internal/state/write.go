package state

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write replaces a file of the state home in one step: a reader sees the old bytes or the new ones, never a part, and of two
// writers one wins whole. Missing directories are made, for the user alone. The error names the path.
func Write(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".new-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err2 := temp.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
		return fmt.Errorf("%s: not written: %w", path, err)
	}
	return nil
}

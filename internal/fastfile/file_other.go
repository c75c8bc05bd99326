//go:build !unix

package fastfile

import (
	"io/fs"
	"os"
)

// Open is os.OpenFile.
func Open(path string, flags int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flags, mode)
}

// Read is os.ReadFile.
func Read(path string) ([]byte, error) { return os.ReadFile(path) }

//go:build linux

package rig

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Binaries returns a directory with the built programs: that of LORIMER_BIN, else a new temporary one
// that they are built into. root is the module's. The function removes what was made.
func Binaries(ctx context.Context, root string) (string, func(), error) {
	if dir := os.Getenv("LORIMER_BIN"); dir != "" {
		dir, err := filepath.Abs(dir)
		return dir, func() {}, err
	}
	dir, err := os.MkdirTemp("", "lorimer-bin")
	if err != nil {
		return "", nil, err
	}
	remove := func() { os.RemoveAll(dir) }
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", dir+string(filepath.Separator), "./cmd/lorimer", "./cmd/lorimer-dispatch", "./cmd/lorimer-gremlins", "./cmd/lorimer-hal")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("building the binaries under test: %w\n%s", err, out)
	}
	return dir, remove, nil
}

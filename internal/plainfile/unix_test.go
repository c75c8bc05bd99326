//go:build unix

package plainfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What lies there may be made to hang whoever looks.
func TestReadDoesNotWait(t *testing.T) {
	dir := t.TempDir()
	pipe, circle := filepath.Join(dir, "pipe"), filepath.Join(dir, "circle")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("circle", circle); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{pipe: "a pipe", circle: "too many levels", "/dev/zero": "a device"} {
		done := make(chan error, 1)
		go func() { _, err := Read(path, 4); done <- err }()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", path, err)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%s hangs", path)
		}
	}
}

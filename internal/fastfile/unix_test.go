//go:build unix

package fastfile

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A dispatch reads what others may have put there: it waits for nobody, and reads nothing without an end.
func TestReadEnds(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		done := make(chan []byte, 1)
		go func() { src, _ := Read(path); done <- src }() // empty or an error, as long as it ends
		select {
		case src := <-done:
			if len(src) > 0 {
				t.Errorf("%s: %d bytes", path, len(src))
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s hangs", path)
		}
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if src, err := Read(own); err != nil || len(src) < 1<<20 {
		t.Errorf("%d bytes, %v", len(src), err)
	}
}

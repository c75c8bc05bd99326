package certify

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"
)

// Progress returns an Installer's Tick that keeps one line of a terminal up to date: how much lies there already, and since when.
// Without a directory it takes the line away.
func Progress(w io.Writer) func(dir string) {
	began := time.Now()
	return func(dir string) {
		if dir == "" {
			fmt.Fprint(w, "\r\x1b[K")
			return
		}
		fmt.Fprintf(w, "\r\x1b[K  %s, %d s\r", megabytes(size(dir)), int(time.Since(began).Seconds()))
	}
}

func megabytes(n int64) string { return fmt.Sprintf("%d MB", n/1e6) }

// size is what the files of a directory take, in bytes. What is being moved meanwhile is not counted.
func size(dir string) (sum int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}

//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

func sizeOf(f *os.File) (width, height int) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(size.Col), int(size.Row)
}

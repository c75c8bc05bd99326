// Package terminal says how large the terminal is that a person reads.
package terminal

import (
	"os"
	"strconv"
)

// Width returns how many columns the terminal behind a file has; 0 = it is no terminal, or nobody knows. $COLUMNS overrules it,
// for scripts that show themselves to people, and for tests.
func Width(f *os.File) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	width, _ := sizeOf(f)
	return width
}

// Height returns how many lines it has; 0 = it is no terminal, or nobody knows. $LINES overrules it.
func Height(f *os.File) int {
	if n, err := strconv.Atoi(os.Getenv("LINES")); err == nil && n > 0 {
		return n
	}
	_, height := sizeOf(f)
	return height
}

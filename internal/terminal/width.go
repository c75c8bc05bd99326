// Package terminal says how wide the terminal is that a person reads.
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
	return widthOf(f)
}

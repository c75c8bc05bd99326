package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Forget takes back what Record remembered of a clone. A clone that nobody agreed to is no error.
func Forget(home, root string) error {
	root, err := resolve(root)
	if err != nil {
		return fmt.Errorf("trust of %s is not taken back: %w", root, err)
	}
	for _, path := range []string{file(home, root), copyFile(home, root)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Known says whether the user agreed to a manifest of the clone, whichever. root must be absolute, with its links resolved.
func Known(home, root string) bool {
	_, err := os.Stat(file(home, root))
	return err == nil
}

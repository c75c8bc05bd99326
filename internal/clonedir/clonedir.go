// Package clonedir names the directory of a clone in one way, whichever way somebody named it, and says what is wrong with a
// name that is none.
package clonedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// Real is the directory, absolute, links resolved.
func Real(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("%q cannot be looked at: %w; expected the directory of a clone", dir, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s does not exist; expected the directory of a clone", dir)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(real)
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("%s cannot be looked at: %w; expected the directory of a clone", dir, err)
	case !info.IsDir():
		return "", fmt.Errorf("%s is not a directory; expected the directory of a clone", dir)
	case !utf8.ValidString(real): // no JSON file can name it, and all that we write names it
		return "", fmt.Errorf("the path %q is not valid UTF-8, so an agent's configuration cannot name it; rename the directory", real)
	}
	return real, nil
}

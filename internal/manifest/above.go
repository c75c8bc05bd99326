package manifest

import (
	"os"
	"path/filepath"
)

// Above is the nearest directory above dir that has a manifest; "" when there is none. Who names a directory in a clone means
// the clone.
func Above(dir string) string {
	for up := filepath.Dir(dir); up != dir; dir, up = up, filepath.Dir(up) {
		if info, err := os.Stat(Path(up)); err == nil && info.Mode().IsRegular() {
			return up
		}
	}
	return ""
}

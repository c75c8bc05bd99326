//go:build linux

package materialize

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A clone may lie on another file system than the state home and the temporary directory: nothing is ever moved between them.
func TestCloneOnAnotherFileSystem(t *testing.T) {
	base, err := os.MkdirTemp("/dev/shm", "lorimer-test-")
	if err != nil || device(t, base) == device(t, t.TempDir()) {
		t.Skip("SKIPPED: no second file system at /dev/shm")
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	o := options(t)
	clone := filepath.Join(base, "clone")
	write(t, clone, "lorimer.yaml", yaml)
	write(t, clone, ".cob/settings.local.json", settings)
	before := tree(t, clone)
	materialize(t, clone, o)
	if p := materialize(t, clone, o); !p.Clean() {
		t.Errorf("second run:\n%s", p.Diff())
	}
	clean(t, clone, o)
	same(t, "after clean", tree(t, clone), before)
}

func device(t *testing.T, dir string) uint64 {
	t.Helper()
	var st syscall.Stat_t
	must(t, syscall.Stat(dir, &st))
	return st.Dev
}

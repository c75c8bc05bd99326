package materialize

import (
	"os"
	"path/filepath"
	"testing"
)

func TestInstallDispatcher(t *testing.T) {
	o := options(t)
	bundled := filepath.Join(t.TempDir(), DispatcherName)
	must(t, os.WriteFile(bundled, []byte("v1"), 0o755))
	step := func(what string, dry, want bool, text string) {
		t.Helper()
		changed, err := o.InstallDispatcher(bundled, dry)
		got, _ := os.ReadFile(o.Dispatcher())
		if err != nil || changed != want || string(got) != text {
			t.Errorf("%s: changed %t, %v, %q", what, changed, err, got)
		}
	}
	step("dry", true, true, "")
	step("first", false, true, "v1")
	step("again", false, false, "v1")
	must(t, os.Chmod(o.Dispatcher(), 0o600))
	step("not executable any more", false, true, "v1")
	must(t, os.WriteFile(bundled, []byte("v2"), 0o755))
	step("upgrade, dry", true, true, "v1")
	step("upgrade", false, true, "v2")
	if info, _ := os.Stat(o.Dispatcher()); info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v", info.Mode())
	}
	if left, _ := os.ReadDir(filepath.Dir(o.Dispatcher())); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := o.InstallDispatcher(filepath.Join(t.TempDir(), "none"), false); err == nil {
		t.Error("a missing dispatcher was installed")
	}
}

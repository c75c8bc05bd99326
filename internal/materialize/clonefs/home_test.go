package clonefs

import (
	"os"
	"path/filepath"
	"testing"
)

// In a user's home our own directory is not there, but in the state home: nothing of ours but the agents' files stands in it.
func TestOpenHome(t *testing.T) {
	home, own := t.TempDir(), filepath.Join(t.TempDir(), "state", "user")
	f, err := OpenHome(home, own)
	must(t, err)
	defer f.Close()
	for _, path := range []string{".lorimer/owned.json", ".lorimerx", "conf"} {
		real, err := f.Resolve(path)
		must(t, err, f.Replace(real, []byte(path), Options{Mode: 0o600, Keep: Durable}))
		if data, _, err := f.Read(real); err != nil || string(data) != path || !f.Exists(path) {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	must(t, f.Mkdir(".lorimer/backup"), f.Replace(".lorimer/backup/x", []byte("x"), Options{Mode: 0o600}))
	if !f.IsDir(".lorimer") || f.Empty(".lorimer") || len(f.Names(".lorimer/backup")) != 1 {
		t.Error("our own directory does not read as one")
	}
	for path, there := range map[string]bool{
		filepath.Join(own, "owned.json"): true, filepath.Join(own, "backup", "x"): true, filepath.Join(home, "conf"): true,
		filepath.Join(home, ".lorimerx"): true, filepath.Join(home, ".lorimer"): false,
	} {
		if _, err := os.Stat(path); (err == nil) != there {
			t.Errorf("%s: there %v", path, err == nil)
		}
	}
	must(t, f.Remove(".lorimer/backup/x"), f.Remove(".lorimer/backup"), f.Remove(".lorimer/owned.json"))
	if f.Empty(".lorimer") {
		t.Error("the state home's directory would be removed")
	}
}

//go:build linux

package rig

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// npm ci refuses a lockfile that has no entry for an optional package, and npm install leaves out those of other platforms
// that its registry does not serve.
func TestTheLockfilesAreWhole(t *testing.T) {
	for _, file := range []string{"../package-lock.json", "../demo/package-lock.json"} {
		var lock struct {
			Packages map[string]struct{ OptionalDependencies map[string]string }
		}
		b, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(b, &lock)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(lock.Packages) < 10 {
			t.Errorf("%s: %d packages", file, len(lock.Packages))
		}
		has := func(name string) bool {
			for path := range lock.Packages {
				if strings.HasSuffix("/"+path, "/node_modules/"+name) {
					return true
				}
			}
			return false
		}
		for path, p := range lock.Packages {
			for name, version := range p.OptionalDependencies {
				if !has(name) {
					t.Errorf(`%s: %s %s, which %s may have, is not there; add {"version": %q, "os": ..., "cpu": ..., "optional": true}`, file, name, version, path, version)
				}
			}
		}
	}
}

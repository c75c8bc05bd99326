package config

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// ManagedPlaces are the files by which an organization set native harnesses up on this machine, those that exist, the one that is
// overruled first: the file itself, then those of the folder beside it, by name. Hidden ones are none.
func ManagedPlaces(table []*harness.Harness) (all []Place) {
	for _, h := range Native(table) {
		file := h.Hooks.Managed.Path(runtime.GOOS)
		if file == "" {
			continue
		}
		more, _ := filepath.Glob(filepath.Join(strings.TrimSuffix(file, ".json")+".d", "*.json")) // the pattern is a good one
		more = slices.DeleteFunc(more, func(f string) bool { return strings.HasPrefix(filepath.Base(f), ".") })
		for _, f := range append([]string{file}, more...) {
			if info, err := os.Stat(f); err == nil && !info.IsDir() {
				f = filepath.ToSlash(f)
				all = append(all, Place{Path: f, Name: f, Managed: true})
			}
		}
	}
	return all
}

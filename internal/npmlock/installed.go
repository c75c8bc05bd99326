package npmlock

import (
	"fmt"
	"maps"
	"os"
	"slices"
)

// Differing returns the packages of a lock, sorted. hidden is the path of node_modules/.package-lock.json, in which npm writes
// down what it installed; the error names a package of the lock that is installed there with other bytes.
func Differing(lock []byte, hidden string) ([]string, error) {
	l, err := Parse(lock)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(hidden)
	if err != nil {
		return nil, fmt.Errorf("what is installed there cannot be told: %w", err)
	}
	have, err := parseHidden(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", hidden, err)
	}
	delete(l.Packages, "")
	paths := slices.Sorted(maps.Keys(l.Packages))
	for _, path := range paths {
		want, err := l.at(path)
		if err != nil {
			return nil, err
		}
		if got, ok := have[path]; ok && (got.Version != want.Version || got.Integrity != want.Integrity) {
			return nil, fmt.Errorf("%s is installed there in version %s, with other bytes than those of %s that are certified", path, got.Version, want.Version)
		}
	}
	return paths, nil
}

// Held returns an error when something is installed that the lock has no hash of, or another. hidden is as Differing has it.
func Held(lock []byte, hidden string) error {
	if _, err := Differing(lock, hidden); err != nil {
		return err
	}
	l, err := Parse(lock)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(hidden)
	if err != nil {
		return err
	}
	have, err := parseHidden(data)
	if err != nil {
		return fmt.Errorf("%s: %w", hidden, err)
	}
	for _, path := range slices.Sorted(maps.Keys(have)) {
		if want, err := l.at(path); l.Packages[path] == nil || err != nil || want.Integrity == "" && !want.InBundle {
			return fmt.Errorf("%s was installed, and the lock has no hash of it", path)
		}
	}
	return nil
}

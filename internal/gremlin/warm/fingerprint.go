package warm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// Fingerprint is a short name for the launch facts that decide whether two calls share a cached prefix: those that the harness's
// row lists, in any order.
func Fingerprint(names []string, facts map[string]string) string {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%d:%s=%d:%s\n", len(name), name, len(facts[name]), facts[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Differ lists the facts of names in which two launches differ, in the order of names.
func Differ(names []string, a, b map[string]string) (drift []string) {
	for _, name := range names {
		if a[name] != b[name] && !slices.Contains(drift, name) {
			drift = append(drift, name)
		}
	}
	return drift
}

package main

import (
	"path"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/golden/go/table"
)

// On macOS and Windows .Pi and .pi are one directory. Two paths that differ in case alone would be two files in the ownership
// record and one on the disk.
func TestNoTwoPathsDifferInCaseAlone(t *testing.T) {
	seen := map[string]string{}
	note := func(file string) {
		for p := path.Clean(file); file != "" && p != "."; p = path.Dir(p) {
			if was, ok := seen[strings.ToLower(p)]; ok && was != p {
				t.Errorf("%s and %s are one on a disk that does not tell cases apart", was, p)
			}
			seen[strings.ToLower(p)] = p
		}
	}
	note(".lorimer/manifest.json")
	for _, h := range table.All {
		if h.Hooks != nil {
			note(h.Hooks.Local)
			note(h.Hooks.Shared)
			note(h.Hooks.User)
		}
		if h.Shim != nil {
			note(h.Shim.Project)
			note(h.Shim.User)
		}
	}
	if len(seen) < 8 {
		t.Errorf("only %d paths", len(seen))
	}
}

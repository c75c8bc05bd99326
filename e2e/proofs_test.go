//go:build linux

package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

// proofs is harnesses/proofs/<id>.json, which `lorimer matrix` reads: what suites saw the real program do.
type proofs struct {
	Version string            `json:"version"`
	Date    string            `json:"date"`
	Seen    map[string]string `json:"seen"` // "Event" or "Event effect" to the suite
}

// proven holds what a suite saw of a harness against what is written down: less is a loss, more is to be written down with -update.
func proven(t *testing.T, id, suite string, cells []string) {
	t.Helper()
	file := filepath.Join("..", "harnesses", "proofs", id+".json")
	var old proofs
	if src, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(src, &old); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	now := proofs{Version: certified(id), Date: old.Date, Seen: maps.Clone(old.Seen)}
	if now.Seen == nil {
		now.Seen = map[string]string{}
	}
	maps.DeleteFunc(now.Seen, func(cell, by string) bool { return by == suite && !slices.Contains(cells, cell) })
	for _, cell := range cells {
		if now.Seen[cell] == "" { // the first suite that sees it is named
			now.Seen[cell] = suite
		}
	}
	if now.Version == old.Version && maps.Equal(now.Seen, old.Seen) {
		return
	}
	if !*goldentest.Update {
		for cell, by := range old.Seen {
			if by == suite && now.Seen[cell] == "" {
				t.Errorf("%s says that %s saw %q of %s, and it did not", file, suite, cell, id)
			}
		}
		if old.Version != "" && old.Version != now.Version {
			t.Errorf("%s is of %s %s, and this is %s; run the test with -update", file, id, old.Version, now.Version)
		}
		t.Logf("%s can be written anew with -update: %v", file, now.Seen)
		return
	}
	now.Date = time.Now().UTC().Format(time.DateOnly)
	src, err := json.MarshalIndent(now, "", "  ")
	if err == nil {
		err = os.WriteFile(file, append(src, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// certified is the version that the descriptor was proven on, which is the one that is installed here.
func certified(id string) string {
	for _, h := range table.All {
		if h.ID == id {
			return h.Certified
		}
	}
	return ""
}

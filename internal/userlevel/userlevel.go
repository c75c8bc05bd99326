// Package userlevel remembers which clones need hooks in the user's own files, where an agent reads them for every project.
// Such a hook is shared: it stays until the last clone that needs it is cleaned. So each clone has a file of its own in the
// state home that says what it needs, and what stands in the user's files is made from all of them.
package userlevel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// Need is what one clone needs in one harness.
type Need struct {
	Scope  string          `json:"scope"` // user, or both
	Events []harness.Event `json:"events"`
}

// Needs is what one clone needs, by harness.
type Needs map[string]Need

// clone is the file.
type clone struct {
	Root  string `json:"root"`
	Needs Needs  `json:"needs"`
}

// Dir is where the user's level has what a clone has in .lorimer: the ownership record, and copies.
func Dir(home string) string { return filepath.Join(home, "user") }

func needsDir(home string) string { return filepath.Join(Dir(home), "needs") }

func file(home, root string) string {
	return filepath.Join(needsDir(home), state.CloneName(root)+".json")
}

// Of returns what a clone needs; nothing when it needs nothing, or nothing is known of it.
func Of(home, root string) Needs {
	c, _ := read(file(home, root))
	return c.Needs
}

func read(path string) (c clone, err error) {
	src, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(src, &c)
	}
	return c, err
}

// Put remembers what a clone needs; nothing forgets the clone.
func Put(home, root string, n Needs) error {
	if len(n) == 0 {
		err := os.Remove(file(home, root))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	src, err := json.MarshalIndent(clone{root, n}, "", "  ")
	if err != nil {
		return err
	}
	return state.Write(file(home, root), append(src, '\n'))
}

// All is what all clones need together, were one of them to need what is given: of each harness the events, in the order of a
// session. A clone whose directory was removed needs nothing any more; one that cannot be looked for still does, like one on a
// disk that is not there today. A file that cannot be read is an error: what somebody relies on could be taken away.
func All(home, root string, n Needs) (map[string][]harness.Event, error) {
	clones := []clone{{root, n}}
	entries, err := os.ReadDir(needsDir(home))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(needsDir(home), e.Name())
		if filepath.Ext(path) != ".json" {
			continue // another run is writing it
		}
		c, err := read(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // its clone was cleaned a moment ago
		}
		if err != nil {
			return nil, fmt.Errorf("what a clone needs in your own files cannot be read: %w; remove %s and run `lorimer materialize` in that clone", err, path)
		}
		if c.Root != root && !removed(c.Root) {
			clones = append(clones, c)
		}
	}
	return union(clones), nil
}

func union(clones []clone) map[string][]harness.Event {
	all := map[string][]harness.Event{}
	for _, c := range clones {
		for _, id := range slices.Sorted(maps.Keys(c.Needs)) {
			all[id] = append(all[id], c.Needs[id].Events...)
		}
	}
	for id, events := range all {
		all[id] = slices.DeleteFunc(slices.Clone(harness.Events), func(e harness.Event) bool { return !slices.Contains(events, e) })
	}
	return all
}

// removed says whether the clone was taken away, and not the disk that it is on.
func removed(root string) bool {
	_, err := os.Stat(root)
	_, above := os.Stat(filepath.Dir(root))
	return errors.Is(err, fs.ErrNotExist) && above == nil
}

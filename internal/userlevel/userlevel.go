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

// Put remembers what a clone needs; nothing forgets the clone. The caller keeps other runs away.
func Put(home, root string, n Needs) error {
	c, path := clone{root, n}, file(home, root)
	if len(n) == 0 {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return now.wrote(needsDir(home), path, c, func() error { return os.Remove(path) })
	}
	src, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return now.wrote(needsDir(home), path, c, func() error { return state.Write(path, append(src, '\n')) })
}

// All is what all clones need together, were one of them to need what is given: of each harness the events, in the order of a
// session. A clone whose directory was removed needs nothing any more; one that cannot be looked for still does, like one on a
// disk that is not there today. A file that cannot be read is an error: what somebody relies on could be taken away.
//
// Each of a thousand clones in one run asks for it, so what does not change is read once, and looked for only where it counts.
func All(home, root string, n Needs) (map[string][]harness.Event, error) {
	all := union{}
	all.add(n)
	others, ok := now.others(needsDir(home), file(home, root), all)
	if !ok {
		clones, err := readAll(needsDir(home))
		if err != nil {
			return nil, err
		}
		others = slices.Collect(maps.Values(clones))
	}
	for _, c := range others {
		if c.Root != root && !all.has(c.Needs) && !removed(c.Root) {
			all.add(c.Needs)
		}
	}
	return all.inOrder(), nil
}

// readAll returns what stands in the directory, by file, and has it kept.
func readAll(dir string) (map[string]clone, error) {
	at, _ := changed(dir) // before it is read: what is written meanwhile shows
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	clones := map[string]clone{}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if filepath.Ext(path) != ".json" {
			continue // another run is writing it
		}
		c, err := reads.file(path, e)
		if errors.Is(err, fs.ErrNotExist) {
			continue // its clone was cleaned a moment ago
		}
		if err != nil {
			return nil, fmt.Errorf("what a clone needs in your own files cannot be read: %w; remove %s and run `lorimer materialize` in that clone", err, path)
		}
		clones[path] = c
	}
	now.mu.Lock()
	defer now.mu.Unlock()
	now.keep(dir, at, clones)
	return clones, nil
}

// union is the events that are needed, by harness.
type union map[string]map[harness.Event]bool

func (u union) add(n Needs) {
	for id, need := range n {
		if u[id] == nil {
			u[id] = map[harness.Event]bool{}
		}
		for _, e := range need.Events {
			u[id][e] = true
		}
	}
}

// needs says whether an event is needed in a harness.
func (u union) needs(id, event string) bool { return u[id][harness.Event(event)] }

// has says whether nothing would be new.
func (u union) has(n Needs) bool {
	for id, need := range n {
		if u[id] == nil {
			return false
		}
		for _, e := range need.Events {
			if !u[id][e] {
				return false
			}
		}
	}
	return true
}

func (u union) inOrder() map[string][]harness.Event {
	all := map[string][]harness.Event{}
	for id, events := range u {
		all[id] = slices.DeleteFunc(slices.Clone(harness.Events), func(e harness.Event) bool { return !events[e] })
	}
	return all
}

// removed says whether the clone was taken away, and not the disk that it is on.
func removed(root string) bool {
	if _, err := os.Stat(root); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, above := os.Stat(filepath.Dir(root))
	return above == nil
}

// Package owned is the ownership record of a clone, .lorimer/owned.json: which files and which entries in shared files are
// ours, what they looked like when we left them, and what is needed to take them out without a trace.
//
// The record is written twice in a run: before the first file is touched, with what the run is about to leave (Next), and
// after the last. Whoever finds a record with a Next knows that a run was cut short, and that each file is in the one state
// or the other.
package owned

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/splice"
)

// Path is where the record stands, below the clone's root.
const Path = ".lorimer/owned.json"

// version is that of the file's format.
const version = 1

// How says how much of a file is ours.
type How string

const (
	Whole   How = "whole"   // all of it
	Spliced How = "spliced" // some entries; the rest is the user's
	// Companion is Whole as long as nobody changes it; then it is theirs.
	Companion How = "companion"
)

// File is one file that is ours or holds entries of ours.
type File struct {
	Path    string `json:"path"`              // slash path below the root
	Harness string `json:"harness,omitempty"` // whose it is; empty for what belongs to all
	How     How    `json:"how"`
	SHA256  string `json:"sha256"` // of the whole file as we left it

	// Of spliced files:

	Created bool            `json:"created,omitempty"` // there was no such file before
	Keys    []string        `json:"keys,omitempty"`    // splice.File.At
	Entries []Entry         `json:"entries,omitempty"`
	Undo    []splice.Origin `json:"undo,omitempty"`
}

// Entry is an entry as we wrote it.
type Entry struct {
	At    []string        `json:"at"`
	Value json.RawMessage `json:"value"`
}

// State is everything that is ours at one time.
type State struct {
	Files []File   `json:"files"`
	Dirs  []string `json:"dirs,omitempty"` // directories that we made, to be removed when they are empty again
	Only  []string `json:"only,omitempty"` // agents that the user named on the command line; none = as the configuration says
}

// Record is the file.
type Record struct {
	Version int `json:"version"`
	State
	Next *State `json:"next,omitempty"` // what a run that did not end meant to leave
}

// Parse reads a record; no bytes at all are an empty record. A record of another version or with paths that lead out of the
// clone is an error.
func Parse(src []byte) (Record, error) {
	if len(src) == 0 {
		return Record{}, nil
	}
	var r Record
	if err := json.Unmarshal(src, &r); err != nil {
		return r, fmt.Errorf("%s is damaged: %w; move it away, then what is lorimer's is recognised by what it says", Path, err)
	}
	if r.Version != version {
		return r, fmt.Errorf("%s has version %d, this lorimer knows %d; use the lorimer that wrote it", Path, r.Version, version)
	}
	for _, p := range r.paths() {
		if !fs.ValidPath(p) || p == "." {
			return r, fmt.Errorf("%s names %q, which is no path in the clone; this file is not lorimer's work, move it away", Path, p)
		}
	}
	return r, nil
}

func (r Record) paths() []string {
	all := slices.Clone(r.AllDirs())
	for _, f := range r.both() {
		all = append(all, f.Path)
	}
	return all
}

// Encode returns the file's bytes: the same for the same record, whatever the order that it was put together in.
func (r Record) Encode() []byte {
	r.Version = version
	r.sort()
	if r.Next != nil {
		next := *r.Next
		next.sort()
		r.Next = &next
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		panic("owned: a record of plain values does not encode: " + err.Error())
	}
	return b.Bytes()
}

func (s *State) sort() {
	s.Files = append([]File{}, s.Files...)
	slices.SortFunc(s.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	s.Dirs = slices.Clone(s.Dirs)
	slices.Sort(s.Dirs)
	s.Dirs = slices.Compact(s.Dirs)
}

// Hash is what File.SHA256 holds.
func Hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

package strictyaml

import (
	"regexp"
	"time"
)

// Str is a string that knows where it stands. The zero Str is an absent key; a key with an empty string has a place.
type Str struct {
	Text string
	Pos  Pos
}

// String returns the text.
func (s Str) String() string { return s.Text }

// Set says whether the key was there.
func (s Str) Set() bool { return !s.Pos.IsZero() }

// Strs is one string or a list of them.
type Strs []Str

// Int is a whole number that knows where it stands.
type Int struct {
	N   int
	Pos Pos
}

// Set says whether the key was there.
func (i Int) Set() bool { return !i.Pos.IsZero() }

// Duration is a length of time, written with its unit: 90s, 5m, 1h30m, 1500ms. It is never negative.
type Duration struct {
	D    time.Duration
	Text string // as written
	Pos  Pos
}

// Set says whether the key was there.
func (d Duration) Set() bool { return !d.Pos.IsZero() }

// Regexp is a regular expression in RE2 syntax (Go's), that compiles.
type Regexp struct {
	Text string
	Re   *regexp.Regexp // nil when it does not compile (then there is a fault) or is absent
	Pos  Pos
}

// Set says whether the key was there.
func (r Regexp) Set() bool { return !r.Pos.IsZero() }

// Map is a mapping with keys of the file's choice, in the file's order.
type Map[V any] []Entry[V]

// Entry is one key of a Map.
type Entry[V any] struct {
	Key     string
	KeyPos  Pos
	Comment string // the YAML comment above the key or behind the value, without #
	Value   V
}

// Get returns the value of a key, and false when it is not there.
func (m Map[V]) Get(key string) (V, bool) {
	for _, e := range m {
		if e.Key == key {
			return e.Value, true
		}
	}
	var none V
	return none, false
}

// Keys returns the keys in the file's order.
func (m Map[V]) Keys() []string {
	keys := make([]string, len(m))
	for i, e := range m {
		keys[i] = e.Key
	}
	return keys
}

// Kind is the type of a Tree's node, in JSON's words.
type Kind string

const (
	Null   Kind = "null"
	Bool   Kind = "bool"
	Number Kind = "number"
	String Kind = "string"
	List   Kind = "list"
	Object Kind = "object"
)

// Tree is a piece of YAML that is data of its own, to be written out as JSON: an entry of somebody's config file, an
// answer. Object keys keep the file's order.
type Tree struct {
	Kind   Kind   // "" when the key was absent
	Text   string // of a bool, number or string; numbers are valid JSON numbers
	List   []Tree
	Object Map[Tree]
	Pos    Pos
}

// Set says whether the key was there.
func (t Tree) Set() bool { return t.Kind != "" }

// Walk calls f for t and everything below it, in the file's order.
func (t Tree) Walk(f func(Tree)) {
	f(t)
	for _, x := range t.List {
		x.Walk(f)
	}
	for _, e := range t.Object {
		e.Value.Walk(f)
	}
}

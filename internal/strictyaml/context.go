package strictyaml

import (
	"fmt"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
)

// Context is one run of Decode: the file, what was found wrong in it so far, and where in it we are.
type Context struct {
	file   string
	text   string   // without byte order mark, lines ended by \n
	lines  []string // of text, without their ends
	root   *yaml.Node
	faults Faults
	bad    map[*yaml.Node]bool // nodes that already have a fault: nobody reads them
	flow   map[*yaml.Node]bool // nodes inside [] or {}
	path   []step
}

// step is one level on the way from the root to the node that is being read.
type step struct {
	key  string // "" for an entry of a list
	tag  reflect.StructTag
	noun string // of the struct that is read at this level; "" when it has none
}

// File returns the name that faults carry.
func (c *Context) File() string { return c.file }

// Text returns the file's text without a byte order mark and with \n at the end of each line: what positions count in.
func (c *Context) Text() string { return c.text }

// Line returns a line of the text, counted from 1, without its end; "" when there is none.
func (c *Context) Line(n int) string {
	if n < 1 || n > len(c.lines) {
		return ""
	}
	return c.lines[n-1]
}

// Root returns the document's top node.
func (c *Context) Root() *yaml.Node { return c.root }

// Top returns the node that keys lead to from the top of the document, nil when there is none.
func (c *Context) Top(keys ...string) *yaml.Node {
	n := c.root
	for _, key := range keys {
		if n = valueOf(n, key); n == nil {
			return nil
		}
	}
	return n
}

func valueOf(n *yaml.Node, key string) *yaml.Node {
	for k, v := range pairs(n) {
		if k.Value == key {
			return v
		}
	}
	return nil
}

// InFlow says whether the node stands inside [] or {}, where YAML reads more characters as its own.
func (c *Context) InFlow(n *yaml.Node) bool { return c.flow[n] }

// Tag returns what the tag of the field that is being read says for a key; a field without the key inherits it from the
// field around it.
func (c *Context) Tag(key string) string {
	for i := len(c.path) - 1; i >= 0; i-- {
		if v, ok := c.path[i].tag.Lookup(key); ok {
			return v
		}
	}
	return ""
}

// Faultf reports a fault at a node.
func (c *Context) Faultf(n *yaml.Node, format string, args ...any) {
	c.Report(n, Fault{What: fmt.Sprintf(format, args...)})
}

// Faults returns how many faults there are so far.
func (c *Context) Faults() int { return len(c.faults) }

// Report reports a fault at a node; file and place are filled in.
func (c *Context) Report(n *yaml.Node, f Fault) { c.ReportAt(Pos{n.Line, n.Column}, f) }

// ReportAt reports a fault at a place; file and place are filled in.
func (c *Context) ReportAt(pos Pos, f Fault) {
	f.File, f.Line, f.Col = c.file, pos.Line, pos.Col
	c.faults = append(c.faults, f)
}

// Bad marks a node as one that has its fault, so that nobody reads it and complains again.
func (c *Context) Bad(n *yaml.Node) { c.bad[n] = true }

// Subject names what is being read, for the beginning of a sentence: `"stall"`, `an entry of "params"`, `the file`.
func (c *Context) Subject() string {
	if len(c.path) == 0 {
		return "the file"
	}
	last := c.path[len(c.path)-1]
	if last.key != "" {
		return quote(last.key)
	}
	for i := len(c.path) - 1; i >= 0; i-- {
		if k := c.path[i].key; k != "" {
			return "an entry of " + quote(k)
		}
	}
	return "an entry"
}

// Mismatch reports a value that is of another type than expected.
func (c *Context) Mismatch(n *yaml.Node, expected, hint string) {
	what := c.Subject() + " is " + describe(n)
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		what = c.Subject() + " has no value"
	}
	c.Report(n, Fault{What: what, Expected: expected, Hint: hint})
}

// place names the struct that is being read, after "in": `an event row`, `shim.module`, `an entry of certified`.
func (c *Context) place() string {
	var keys []string
	for i := len(c.path) - 1; i >= 0; i-- {
		s := c.path[i]
		switch {
		case s.noun != "":
			return of(keys, s.noun)
		case s.key == "":
			return of(keys, "an entry of "+c.keysAbove(i))
		}
		keys = append([]string{s.key}, keys...)
	}
	if len(keys) == 0 {
		return "the file"
	}
	return strings.Join(keys, ".")
}

// of names keys below something that has a name.
func of(keys []string, noun string) string {
	if len(keys) == 0 {
		return noun
	}
	return strings.Join(keys, ".") + " of " + noun
}

// keysAbove returns the dotted keys that lead to the list whose entry is step i.
func (c *Context) keysAbove(i int) string {
	var keys []string
	for _, s := range c.path[:i] {
		if s.key != "" {
			keys = append(keys, s.key)
		}
	}
	return strings.Join(keys, ".")
}

// in runs f one level further down.
func (c *Context) in(s step, f func()) {
	c.path = append(c.path, s)
	f()
	c.path = c.path[:len(c.path)-1]
}

// Place returns where a node begins.
func Place(n *yaml.Node) Pos { return Pos{n.Line, n.Column} }

// describe names a node's type, with its text where that helps.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!int", "!!float":
		return "the number " + clip(n.Value)
	case "!!bool":
		return "the boolean " + n.Value
	case "!!timestamp":
		return "the date " + n.Value
	case "!!null":
		return "null"
	}
	return "the text " + quote(n.Value)
}

// quote returns s in quotes, shortened where it is long.
func quote(s string) string { return `"` + clip(s) + `"` }

// clip shortens s to one line of at most 60 characters.
func clip(s string) string {
	s, _, cut := strings.Cut(s, "\n")
	if r := []rune(s); len(r) > 60 {
		s, cut = string(r[:60]), true
	}
	if cut {
		s += "..."
	}
	return s
}

package descriptor

import (
	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Expr is a JavaScript snippet that is exactly one expression. Its text stands in the file as it is: one plain or
// single-quoted line, or a | block. It may be an object literal: after => an emitter must put it into parentheses.
// It may await only where the field's tag says `js:"await"`.
type Expr struct {
	Text    string     // without the final newline; empty when the key is absent
	Pos     Pos        // of the scalar
	Comment string     // the YAML comment behind the snippet
	Node    *yaml.Node // nil when the key is absent
	uses    []Name
}

// Set says whether the key was there.
func (e Expr) Set() bool { return e.Node != nil }

// Body is a JavaScript snippet of statements, inside a function: it may return, and throw, and await unless the field's
// tag says `js:"sync"`.
type Body struct {
	Text    string     // without the final newline; empty when the key is absent
	Pos     Pos        // of the scalar
	Comment string     // the YAML comment behind the snippet
	Node    *yaml.Node // nil when the key is absent
	uses    []Name
}

// Set says whether the key was there.
func (b Body) Set() bool { return b.Node != nil }

// Param is one JavaScript parameter: a name, or a pattern such as "{ client, directory }" (opencode).
type Param struct {
	Text  string
	Pos   Pos
	Names []string // the names that it brings into scope, in their order
}

// EventName is a neutral event: one of harness.Events.
type EventName struct {
	Text string
	Pos  Pos
}

// Set says whether the key was there.
func (e EventName) Set() bool { return !e.Pos.IsZero() }

// Event returns it as the engines' type.
func (e EventName) Event() harness.Event { return harness.Event(e.Text) }

// EffectName is something that an answer does: one of harness.Effects.
type EffectName struct {
	Text string
	Pos  Pos
}

// Effect returns it as the engines' type.
func (e EffectName) Effect() harness.Effect { return harness.Effect(e.Text) }

// FilePath is a slash path that cannot leave the place it is relative to. The field's tag says which places it may name:
// `path:"clone"` the clone (or whatever directory the field says), `path:"user"` HOME, written ~/; both may be allowed.
type FilePath struct {
	Text string // as written, with ~/ when there is one
	Pos  Pos
}

// Set says whether the key was there.
func (p FilePath) Set() bool { return !p.Pos.IsZero() }

// Template is a string with {name} tokens. Which names a field knows is fixed by its tag, `tokens:"a|b"`; any other is
// a fault. Braces around anything but a lower-case name are text.
type Template struct {
	Text string
	Pos  Pos
}

// Set says whether the key was there.
func (t Template) Set() bool { return !t.Pos.IsZero() }

// Path is a gjson path into a payload or a line of a stream.
type Path struct {
	Text string
	Pos  Pos
}

// Set says whether the key was there.
func (p Path) Set() bool { return !p.Pos.IsZero() }

// Version is a version's text. It is always a string: 1.10 as a YAML number would be 1.1.
type Version struct {
	Text string
	Pos  Pos
}

// Set says whether the key was there.
func (v Version) Set() bool { return !v.Pos.IsZero() }

// PerOS is one path for every operating system, or a mapping of linux, darwin and windows.
type PerOS struct {
	Pos     Pos
	Default FilePath      // set when one is meant for all
	OS      Map[FilePath] // otherwise
}

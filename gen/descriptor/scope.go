package descriptor

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/internal/meant"
)

// globals are the names that every JavaScript host of ours has: the language's own, and the few of node's that bun has too.
var globals = strings.Fields(`
	undefined NaN Infinity globalThis Object Array String Number Boolean Symbol BigInt Math Date Map Set WeakMap WeakSet WeakRef
	Promise RegExp JSON Error TypeError RangeError Reflect Proxy parseInt parseFloat isNaN isFinite
	encodeURIComponent decodeURIComponent Uint8Array ArrayBuffer TextEncoder TextDecoder URL URLSearchParams AbortController
	process Buffer console structuredClone queueMicrotask setTimeout clearTimeout setInterval clearInterval setImmediate`)

// scope is what a snippet may name, apart from the globals, in the order in which it is told.
type scope []string

// with returns a scope with more names.
func (s scope) with(names ...string) scope { return append(slices.Clone(s), names...) }

// uses is a snippet that takes names from its surroundings: Expr and Body.
type uses interface{ Uses() []Name }

// located is a snippet that knows whether and where it is.
type located interface {
	uses
	Set() bool
	place() Pos
}

func (e Expr) place() Pos { return e.Pos }
func (b Body) place() Pos { return b.Pos }

// brings checks a snippet whose field brings a word of its own into scope. Where the word means something already, the
// snippet would see the field's and its writer may think of the other.
func (k *checker) brings(s scope, word string, x located) {
	if x.Set() && slices.Contains(s, word) {
		k.want(x.place(), "another name for the parameter or definition", "%s means two things here: what this field brings, and a name of the descriptor's", word)
	}
	k.in(s.with(word), x)
}

// in reports the names of snippets that are not in scope.
func (k *checker) in(s scope, snippets ...uses) {
	for _, x := range snippets {
		for _, n := range x.Uses() {
			if slices.Contains(globals, n.Text) || slices.Contains(s, n.Text) {
				continue
			}
			f := fault{What: "unknown name " + n.Text, Hint: meant.DidYouMean(n.Text, s)}
			if len(s) > 0 {
				f.Expected = "one of " + strings.Join(slices.Compact(slices.Sorted(slices.Values(s))), ", ") + ", or a JavaScript global"
			}
			k.ReportAt(n.Pos, f)
		}
	}
}

// inAll is in for the values of a map.
func inAll[V uses](k *checker, s scope, m Map[V]) {
	for _, e := range m {
		k.in(s, e.Value)
	}
}

// reserved are names of the generated module that no snippet may declare anew.
var reserved = []string{"rt", "mode", "cap", "session", "CONFIG", "createShim"}

var identifier = lazyre.Pattern{Expr: `^[A-Za-z_$][A-Za-z0-9_$]*$`}

// declare adds the keys of a map to a scope, and reports those that are no names or that are there already.
func declare[V any](k *checker, s scope, m Map[V]) scope {
	for _, e := range m {
		switch {
		case !identifier.Re().MatchString(e.Key):
			k.want(e.KeyPos, "letters, digits, _ and $", "%q is no JavaScript name", e.Key)
			continue
		case slices.Contains(s, e.Key), slices.Contains(reserved, e.Key):
			k.mend(e.KeyPos, "give it another name", "the name %s is already taken", e.Key)
		}
		s = s.with(e.Key)
	}
	return s
}

// parameters reports parameters with a name that the generated module has itself.
func (k *checker) parameters(params []Param) {
	for _, p := range params {
		for _, name := range p.Names {
			if slices.Contains(reserved, name) {
				k.mend(p.Pos, "give it another name", "the name %s is already taken", name)
			}
		}
	}
}

func paramScope(s scope, params []Param) scope {
	for _, p := range params {
		s = s.with(p.Names...)
	}
	return s
}

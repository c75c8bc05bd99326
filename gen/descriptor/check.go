package descriptor

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// checker holds the sections of one descriptor against each other. Every section may be absent or half-read: what could
// not be read already has its fault.
type checker struct {
	*reader
	d *Descriptor
}

// check runs all checks that need one file alone.
func check(c *reader, d *Descriptor) {
	k := &checker{c, d}
	k.identity()
	k.kind()
	k.channels()
	k.generativeRows()
	k.externalRows()
	k.hooks()
	k.tools()
	k.answers()
	k.limits()
	k.companions()
	k.capabilities()
	k.environment()
	k.predicatePaths()
	k.trust()
	k.gates()
	k.headless()
	k.fake()
	k.scopes()
}

// mend reports a fault at a place, and what to do about it.
func (k *checker) mend(pos Pos, remedy, format string, args ...any) {
	k.ReportAt(pos, fault{What: fmt.Sprintf(format, args...), Hint: remedy})
}

// want reports a fault at a place, and what should have been there, where that tells what to do.
func (k *checker) want(pos Pos, expected, format string, args ...any) {
	k.ReportAt(pos, fault{What: fmt.Sprintf(format, args...), Expected: expected})
}

// limits checks that time limits are those of events.
func (k *checker) limits() {
	known := names(harness.Events)
	for _, e := range k.d.Limits {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("limits has %q", e.Key), e.Key, append([]string{"*"}, known...))
	}
}

// tokensOf returns the tokens that the tag of a struct's field allows.
func tokensOf[T any](field string) []string {
	f, ok := reflect.TypeFor[T]().FieldByName(field)
	if !ok {
		panic("no field " + field)
	}
	return strings.Split(f.Tag.Get("tokens"), "|")
}

// treeTokens checks the tokens in the strings of a tree.
func (k *checker) treeTokens(t Tree, known []string) {
	t.Walk(func(x Tree) {
		if x.Kind == strictyaml.String {
			checkTokens(k.reader, x.Pos, x.Text, known)
		}
	})
}

// holdsToken says whether a string of the tree has the token.
func holdsToken(t Tree, token string) (found bool) {
	t.Walk(func(x Tree) { found = found || x.Kind == strictyaml.String && strings.Contains(x.Text, "{"+token+"}") })
	return found
}

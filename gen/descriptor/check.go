package descriptor

import (
	"fmt"
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
	k.answers()
	k.eventKeys()
	k.capabilities()
	k.environment()
	k.gates()
	k.headless()
	k.fake()
	k.scopes()
}

// say reports a fault at a place.
func (k *checker) say(pos Pos, format string, args ...any) {
	k.ReportAt(pos, fault{What: fmt.Sprintf(format, args...)})
}

// want reports a fault at a place, and what should have been there.
func (k *checker) want(pos Pos, expected, format string, args ...any) {
	k.ReportAt(pos, fault{What: fmt.Sprintf(format, args...), Expected: expected})
}

// eventKeys checks the maps whose keys are neutral events.
func (k *checker) eventKeys() {
	known := names(harness.Events)
	for _, e := range k.d.Limits {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("limits has %q", e.Key), e.Key, append([]string{"*"}, known...))
	}
	if k.d.Fake != nil {
		for _, e := range k.d.Fake.Saw {
			k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.saw has %q", e.Key), e.Key, known)
		}
	}
}

// tokensOf checks the tokens in the strings of a tree.
func (k *checker) tokensOf(t Tree, known ...string) {
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

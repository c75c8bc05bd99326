package configfile

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/hookmatch"
	"github.com/lorimer-dev/lorimer/internal/meant"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Event is the name of a neutral event.
type Event struct {
	harness.Event
	Pos strictyaml.Pos
}

// DecodeYAML reads an event's name, spelled as Claude Code spells it.
func (e *Event) DecodeYAML(c *strictyaml.Context, n *yaml.Node) {
	e.Pos = strictyaml.Place(n)
	text, ok := c.TextOf(n, "an event's name")
	if !ok {
		return
	}
	if e.Event = harness.Event(text); e.Known() {
		return
	}
	names := make([]string, len(harness.Events))
	for i, x := range harness.Events {
		names[i] = string(x)
	}
	c.Report(n, strictyaml.Fault{
		What: `unknown event "` + text + `"`, Expected: "one of " + strings.Join(names, ", "),
		Hint: meant.DidYouMean(text, names),
	})
}

// Matcher picks tool calls by name, with Claude's own rule: names between | or , match exactly, anything with another
// character in it is a regular expression; "" and "*" match all.
type Matcher struct{ Text string }

// DecodeYAML reads a matcher. A regular expression must compile here, because in the dispatcher it would be too late.
func (m *Matcher) DecodeYAML(c *strictyaml.Context, n *yaml.Node) {
	text, ok := c.TextOf(n, `a matcher: names such as "Bash" or "Write|Edit", or a regular expression`)
	if !ok {
		return
	}
	if err := hookmatch.Check(text); err != nil {
		c.Report(n, strictyaml.Fault{
			What:     fmt.Sprintf("%s is no regular expression: %v", c.Subject(), err),
			Expected: "names such as Bash or Write|Edit, or a regular expression as JavaScript's RegExp takes it",
		})
		return
	}
	m.Text = text
}

// Bool is true or false, and knows whether it was written at all.
type Bool struct {
	B   bool
	Pos strictyaml.Pos // zero when the key is absent
}

// DecodeYAML reads true or false.
func (b *Bool) DecodeYAML(c *strictyaml.Context, n *yaml.Node) {
	b.Pos = strictyaml.Place(n)
	c.Decode(n, &b.B)
}

// Or returns the value, or what holds when the key is absent.
func (b Bool) Or(otherwise bool) bool {
	if b.Pos.IsZero() {
		return otherwise
	}
	return b.B
}

// Hooks is the `hooks:` key: hooks in Claude's shape. What they say is read once the whole file is.
type Hooks struct{ Node *yaml.Node }

// DecodeYAML keeps the node.
func (h *Hooks) DecodeYAML(_ *strictyaml.Context, n *yaml.Node) { h.Node = n }

package strictyaml

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/internal/meant"
)

// oldBooleans are the words that YAML 1.1, and so many other programs, read as true or false.
var oldBooleans = strings.Fields("y Y yes Yes YES on On ON n N no No NO off Off OFF")

// TextOf returns the text of a node that must be a string, and false after reporting that it is not.
func (c *Context) TextOf(n *yaml.Node, expected string) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		c.Mismatch(n, expected, "")
		return "", false
	}
	plain := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	switch {
	case n.Tag != "!!str":
		c.Mismatch(n, expected, `write it in quotes: "`+clip(n.Value)+`"`)
	case plain && slices.Contains(oldBooleans, n.Value):
		c.Report(n, Fault{
			What: c.Subject() + " is " + n.Value + ", which YAML 1.1 reads as a boolean", Expected: expected,
			Hint: `write it in quotes: "` + n.Value + `"`,
		})
	default:
		return n.Value, true
	}
	return "", false
}

// DecodeYAML reads a text, and holds it against the words of an `enum:"a|b"` tag.
func (s *Str) DecodeYAML(c *Context, n *yaml.Node) {
	words := c.Tag("enum")
	expected := "a text"
	if words != "" {
		expected = oneOf(strings.Split(words, "|"))
	}
	s.Pos = Place(n)
	text, ok := c.TextOf(n, expected)
	if !ok {
		return
	}
	s.Text = text
	if words != "" {
		c.OneOf(n, text, strings.Split(words, "|"))
	}
}

// OneOf reports a text that is none of the known words, and returns whether it is one.
func (c *Context) OneOf(n *yaml.Node, text string, known []string) bool {
	return c.OneOfAt(Place(n), c.Subject()+" is "+quote(text), text, known)
}

// OneOfAt is OneOf for a text whose node is not at hand; what says what is wrong when it is none of them.
func (c *Context) OneOfAt(pos Pos, what, text string, known []string) bool {
	if slices.Contains(known, text) {
		return true
	}
	c.ReportAt(pos, Fault{What: what, Expected: oneOf(known), Hint: meant.DidYouMean(text, known)})
	return false
}

// DecodeYAML reads one text or a list of them.
func (s *Strs) DecodeYAML(c *Context, n *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		c.Decode(n, (*[]Str)(s))
		return
	}
	*s = make(Strs, 1)
	(*s)[0].DecodeYAML(c, n)
}

var decimal = lazyre.Pattern{Expr: `^-?(0|[1-9][0-9]{0,17})$`}

// DecodeYAML reads a whole decimal number.
func (i *Int) DecodeYAML(c *Context, n *yaml.Node) {
	i.Pos = Place(n)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || !decimal.Re().MatchString(n.Value) {
		c.Mismatch(n, "a whole number", "")
		return
	}
	i.N, _ = strconv.Atoi(n.Value)
}

// DurationPattern is what a Duration looks like, as a regular expression that JavaScript reads, too.
const DurationPattern = `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`

var duration = lazyre.Pattern{Expr: DurationPattern}

const durationForm = "a duration with its unit, such as 1500ms, 90s, 5m or 1h30m"

// DecodeYAML reads a duration with its unit.
func (d *Duration) DecodeYAML(c *Context, n *yaml.Node) {
	d.Pos = Place(n)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
		c.Mismatch(n, durationForm, "")
		return
	}
	v, err := time.ParseDuration(n.Value)
	if err != nil || !duration.Re().MatchString(n.Value) {
		c.Mismatch(n, durationForm, "")
		return
	}
	d.D, d.Text = v, n.Value
}

// DecodeYAML reads a regular expression and compiles it.
func (r *Regexp) DecodeYAML(c *Context, n *yaml.Node) {
	r.Pos = Place(n)
	text, ok := c.TextOf(n, "a regular expression")
	if !ok {
		return
	}
	re, err := regexp.Compile(text)
	if err != nil {
		c.Report(n, Fault{
			What:     c.Subject() + " does not compile: " + strings.TrimPrefix(err.Error(), "error parsing regexp: "),
			Expected: "a regular expression in RE2 syntax (no look-around, no back references)",
		})
		return
	}
	r.Text, r.Re = text, re
}

// oneOf lists names for people.
func oneOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
}

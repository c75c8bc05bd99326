package descriptor

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

type (
	reader = strictyaml.Context
	fault  = strictyaml.Fault
)

// DecodeYAML reads the name of a neutral event.
func (e *EventName) DecodeYAML(c *reader, n *yaml.Node) {
	e.Pos = strictyaml.Place(n)
	e.Text, _ = word(c, n, names(harness.Events))
}

// DecodeYAML reads the name of an effect.
func (e *EffectName) DecodeYAML(c *reader, n *yaml.Node) {
	e.Pos = strictyaml.Place(n)
	e.Text, _ = word(c, n, names(harness.Effects))
}

// word reads a text that must be one of the known words.
func word(c *reader, n *yaml.Node, known []string) (string, bool) {
	text, ok := c.TextOf(n, "one of "+strings.Join(known, ", "))
	return text, ok && c.OneOf(n, text, known)
}

func names[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = string(x)
	}
	return out
}

// DecodeYAML reads a template and holds its tokens against the field's.
func (t *Template) DecodeYAML(c *reader, n *yaml.Node) {
	t.Pos = strictyaml.Place(n)
	text, ok := c.TextOf(n, "a text")
	if !ok {
		return
	}
	t.Text = text
	checkTokens(c, t.Pos, text, strings.Split(c.Tag("tokens"), "|"))
}

var tokenForm = lazyre.Pattern{Expr: `\{([a-z][a-z0-9_]*)\}`}

// Tokens returns the names of the tokens in a text, in their order.
func Tokens(text string) (names []string) {
	for _, m := range tokenForm.Re().FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// checkTokens reports tokens that a field does not know.
func checkTokens(c *reader, pos Pos, text string, known []string) {
	for _, name := range Tokens(text) {
		if len(known) == 0 {
			c.ReportAt(pos, fault{What: "unknown token {" + name + "}", Expected: "none: this text goes out as it is"})
			continue
		}
		c.OneOfAt(pos, "unknown token {"+name+"}", name, known)
	}
}

// DecodeYAML reads a slash path that stays where the field's tag says.
func (p *FilePath) DecodeYAML(c *reader, n *yaml.Node) {
	p.Pos = strictyaml.Place(n)
	text, ok := c.TextOf(n, "a slash path")
	if !ok {
		return
	}
	p.Text = text
	if wrong := badPath(text, c.Tag("path")); wrong != "" {
		c.Report(n, fault{What: c.Subject() + ": " + text + " " + wrong, Expected: pathForms[c.Tag("path")]})
	}
}

var pathForms = map[string]string{
	"clone":      "a relative slash path, such as .tool/hooks.json",
	"user":       "a path below HOME, such as ~/.tool/hooks.json",
	"clone|user": "a relative slash path, or one below HOME, such as ~/.tool/hooks.json",
}

var driveLetter = lazyre.Pattern{Expr: `^[A-Za-z]:`}

// badPath says why a path cannot be trusted to stay where it belongs, or "".
func badPath(text, places string) string {
	rest, home := strings.CutPrefix(text, "~/")
	switch {
	case home && places == "clone":
		return "is below HOME"
	case !home && places == "user":
		return "is not below HOME"
	case strings.Contains(text, `\`):
		return "has a backslash"
	case strings.HasPrefix(rest, "/"), driveLetter.Re().MatchString(rest):
		return "is absolute"
	case strings.HasPrefix(rest, "~"):
		return "begins with ~"
	}
	for part := range strings.SplitSeq(rest, "/") {
		switch part {
		case "..":
			return "leaves its place by .."
		case "", ".":
			return "is not in its shortest form"
		}
	}
	return ""
}

var versionForm = lazyre.Pattern{Expr: `^[0-9]+(\.[0-9]+)*([-+][0-9A-Za-z.+-]+)?$`}

// DecodeYAML reads a version, which is a text.
func (v *Version) DecodeYAML(c *reader, n *yaml.Node) {
	v.Pos = strictyaml.Place(n)
	text, ok := c.TextOf(n, `a version in quotes, such as "1.10.0"`)
	if !ok {
		return
	}
	v.Text = text
	if !versionForm.Re().MatchString(text) {
		c.Report(n, fault{What: c.Subject() + ` is "` + text + `"`, Expected: "one exact version, such as 1.10.0"})
	}
}

// DecodeYAML reads a gjson path.
func (p *Path) DecodeYAML(c *reader, n *yaml.Node) {
	p.Pos = strictyaml.Place(n)
	text, ok := c.TextOf(n, "a gjson path, such as message.usage.input")
	if !ok {
		return
	}
	p.Text = text
	if wrong := badGJSON(text); wrong != "" {
		c.Report(n, fault{What: c.Subject() + `: the gjson path "` + text + `" ` + wrong, Expected: "a path such as message.usage.input"})
	}
}

// badGJSON says why a gjson path can never find anything, or "". gjson itself takes everything and finds nothing.
func badGJSON(path string) string {
	switch {
	case path == "":
		return "is empty"
	case path[0] == '$':
		return "is JSONPath: gjson has no $ at the beginning"
	}
	depth, quoted, last := 0, false, '.'
	for i, r := range path {
		switch {
		case r == '"' && depth > 0:
			quoted = !quoted
		case quoted:
		case r == '(', r == '[', r == '{':
			depth++
		case r == ')', r == ']', r == '}':
			depth--
		case depth > 0:
		case r == ' ':
			return "has a blank in it"
		case r == '.' && last == '.':
			return "has an empty part"
		}
		if depth < 0 {
			return "closes a bracket too many"
		}
		if i == len(path)-1 && r == '.' && !quoted {
			return "ends with a dot"
		}
		last = r
	}
	if depth > 0 || quoted {
		return "has a bracket or a quote that is not closed"
	}
	return ""
}

// DecodeYAML reads one parameter.
func (p *Param) DecodeYAML(c *reader, n *yaml.Node) {
	p.Pos = strictyaml.Place(n)
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		c.Mismatch(n, "a JavaScript parameter", "")
		return
	}
	p.Text = n.Value
	var wrong string
	if p.Names, wrong = paramNames(n.Value); wrong != "" {
		c.Report(n, fault{What: `"` + n.Value + `" ` + wrong, Expected: "a name, or a pattern such as { client, directory }"})
	}
}

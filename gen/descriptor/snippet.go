package descriptor

import (
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// wrapper is what a snippet is parsed inside of: the function that the emitters will put it into.
type wrapper struct {
	before, after string
	noun          string
}

var (
	exprWrapper      = wrapper{"() => (", "\n)", "one JavaScript expression"}
	awaitExprWrapper = wrapper{"async () => (", "\n)", "one JavaScript expression"}
	bodyWrapper      = wrapper{"async () => {", "\n}", "JavaScript statements"}
	syncBodyWrapper  = wrapper{"() => {", "\n}", "JavaScript statements"}
)

// DecodeYAML reads an expression. It may await where the field's tag says `js:"await"`.
func (e *Expr) DecodeYAML(c *reader, n *yaml.Node) {
	w := exprWrapper
	if c.Tag("js") == "await" {
		w = awaitExprWrapper
	}
	s := readSnippet(c, n, w)
	*e = Expr{Text: s.text, Pos: strictyaml.Place(n), Comment: strictyaml.CommentText("", n.LineComment), Node: n, uses: s.uses}
}

// DecodeYAML reads statements. They may await unless the field's tag says `js:"sync"`.
func (b *Body) DecodeYAML(c *reader, n *yaml.Node) {
	w := bodyWrapper
	if c.Tag("js") == "sync" {
		w = syncBodyWrapper
	}
	s := readSnippet(c, n, w)
	*b = Body{Text: s.text, Pos: strictyaml.Place(n), Comment: strictyaml.CommentText("", n.LineComment), Node: n, uses: s.uses}
}

// Name is a name in a snippet that the snippet itself does not declare, at its first use.
type Name struct {
	Text string
	Pos  Pos
}

// Uses returns the names that the snippet takes from its surroundings.
func (e Expr) Uses() []Name { return e.uses }

// Uses returns the names that the snippet takes from its surroundings.
func (b Body) Uses() []Name { return b.uses }

type snippet struct {
	text string
	uses []Name
}

// readSnippet reads JavaScript from a scalar and reports, at their places in the YAML file, what does not parse.
func readSnippet(c *reader, n *yaml.Node, w wrapper) snippet {
	if n.Kind != yaml.ScalarNode || strings.TrimSpace(n.Value) == "" {
		c.Mismatch(n, w.noun, "")
		return snippet{}
	}
	at, ok := newRuler(c, n)
	if !ok {
		c.Report(n, fault{
			What:     c.Subject() + " is JavaScript whose text YAML changes, so that a fault in it could not be found",
			Expected: "one plain or 'single-quoted' line without '' in it, or a | block",
		})
		return snippet{}
	}
	text := strings.TrimRight(n.Value, "\n")
	if !parseSnippet(c, n, text, w, at) {
		return snippet{text: text}
	}
	uses, wrong := inspect(text, w, at)
	if wrong != "" {
		c.Report(n, fault{What: c.Subject() + " " + wrong, Expected: w.noun})
	}
	return snippet{text, uses}
}

// parseSnippet holds the snippet against esbuild, which knows the language, and reports its complaints. A warning counts:
// what esbuild warns of (a comparison that is never true, a key twice) is never what was meant.
func parseSnippet(c *reader, n *yaml.Node, text string, w wrapper, at ruler) bool {
	messages := messagesOf(w.before + text + w.after + "\nexport {};")
	for _, m := range messages {
		line, col := 0, 0
		if m.Location != nil {
			line, col = m.Location.Line-1, m.Location.Column
		}
		if line == 0 {
			col -= len(w.before)
		}
		c.ReportAt(at.place(line, col), complaint(c, n, m.Text, w, line > strings.Count(text, "\n")))
	}
	return len(messages) == 0
}

var known sync.Map // JavaScript to esbuild's messages: who validates on each key press reads the same snippets again and again

func messagesOf(js string) []api.Message {
	if m, ok := known.Load(js); ok {
		return m.([]api.Message)
	}
	r := api.Transform(js, api.TransformOptions{Loader: api.LoaderJS, Target: api.ES2022, LogLevel: api.LogLevelSilent})
	messages := append(r.Errors, r.Warnings...)
	known.Store(js, messages)
	return messages
}

// complaint words a message of esbuild's for somebody who does not see the wrapper.
func complaint(c *reader, n *yaml.Node, message string, w wrapper, beyond bool) fault {
	f := fault{What: "JavaScript: " + message, Expected: w.noun}
	if rest, ok := strings.CutPrefix(message, `Expected ")" but found `); ok {
		f.What = "JavaScript: unexpected " + rest
	}
	if !beyond {
		return f
	}
	f.What = "JavaScript: the snippet is not complete, or closes a bracket too many"
	if c.InFlow(n) && n.Style&yaml.SingleQuotedStyle == 0 {
		f.Hint = "inside {} a snippet with a comma, brackets, quotes or ? needs single quotes"
	}
	return f
}

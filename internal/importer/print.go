package importer

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// jsonOf is a node as JSON, its keys in the file's order.
func jsonOf(n *claudehooks.Node) string { return n.Print(harness.Quoted, "") }

// flow is a node as YAML on one line, quoted only where that is needed.
func flow(n *claudehooks.Node) string { return n.Print(scalar, " ") }

var plain = lazyre.Pattern{Expr: `^[A-Za-z./][A-Za-z0-9./_|-]*( [A-Za-z0-9./_|-]+)*$`}

// scalar is a text as YAML: bare where nobody can take it for anything else.
func scalar(s string) string {
	words := []string{"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
	if plain.Re().MatchString(s) && !slices.Contains(words, strings.ToLower(s)) && !strings.HasPrefix(s, ".") && !strings.Contains(s, " -") || strings.HasPrefix(s, "./") && plain.Re().MatchString(s) {
		return s
	}
	return harness.Quoted(s)
}

// block is a group as an item of a YAML list, indented.
func block(g *claudehooks.Node, indent string) string {
	var b strings.Builder
	lead := indent + "- "
	for _, m := range g.Members {
		b.WriteString(lead + scalar(m.Key) + ":")
		lead = indent + "  "
		if m.Key != "hooks" {
			b.WriteString(" " + flow(m.Value) + "\n")
			continue
		}
		b.WriteString("\n")
		for _, h := range m.Value.Items {
			b.WriteString(indent + "    - " + flow(h) + "\n")
		}
	}
	return b.String()
}

package claudehooks

import (
	"strconv"
	"strings"
)

// Print returns the node on one line, its keys in the file's order. text writes keys and texts; pad stands inside of braces.
func (n *Node) Print(text func(string) string, pad string) string {
	var parts []string
	switch n.Kind {
	case Bool:
		return strconv.FormatBool(n.Bool)
	case Number:
		return strconv.FormatFloat(n.Number, 'f', -1, 64)
	case Text:
		return text(n.Text)
	case List:
		for _, x := range n.Items {
			parts = append(parts, x.Print(text, pad))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Object:
		for _, m := range n.Members {
			parts = append(parts, text(m.Key)+": "+m.Value.Print(text, pad))
		}
		return "{" + pad + strings.Join(parts, ", ") + pad + "}"
	}
	return "null"
}

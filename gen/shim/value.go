package shim

import (
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// width is the line length up to which an object is written on one line.
const width = 100

var identifier = lazyre.Pattern{Expr: `^[A-Za-z_$][A-Za-z0-9_$]*$`}

// key writes an object's key, quoted only where it must be.
func key(k string) string {
	if identifier.Re().MatchString(k) {
		return k
	}
	return harness.Quoted(k)
}

// pair is one member of an object: a key and the JavaScript of its value.
type pair struct{ key, value string }

// object writes an object on one line where it fits, else with one member a line.
func object(pairs []pair) string { return objectAfter("", pairs) }

// objectAfter is object behind a text on the same line.
func objectAfter(head string, pairs []pair) string {
	if len(pairs) == 0 {
		return "{}"
	}
	members := make([]string, len(pairs))
	for i, p := range pairs {
		members[i] = key(p.key) + ": " + p.value
		if p.key == p.value {
			members[i] = p.key
		}
	}
	one := "{ " + strings.Join(members, ", ") + " }"
	if len(head)+len(one) <= width && !strings.Contains(one, "\n") {
		return one
	}
	return "{\n" + indent(strings.Join(members, ",\n")) + ",\n}"
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(text, "\n", "\n  ")
}

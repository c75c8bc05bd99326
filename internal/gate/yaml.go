package gate

import (
	"bytes"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// bareKey is a key that needs no quotes.
var bareKey = lazyre.Pattern{Expr: `^[A-Za-z_][A-Za-z0-9_-]*$`}

// yamlText writes a mapping as YAML: keys sorted by bytes, texts quoted as JSON has it, nothing left to a reader's guess.
func yamlText(t tree) []byte {
	var b bytes.Buffer
	yamlMembers(&b, t, 0)
	return b.Bytes()
}

func yamlMembers(b *bytes.Buffer, t tree, indent int) {
	for _, key := range sorted(t) {
		name := key
		if !bareKey.Re().MatchString(key) {
			name = scalar(key)
		}
		b.WriteString(strings.Repeat(" ", indent) + name + ":")
		yamlValue(b, t[key], indent)
	}
}

// yamlValue writes what stands behind a colon.
func yamlValue(b *bytes.Buffer, v any, indent int) {
	switch v := v.(type) {
	case tree:
		if len(v) == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteByte('\n')
		yamlMembers(b, v, indent+2)
	case []any:
		if len(v) == 0 {
			b.WriteString(" []\n")
			return
		}
		b.WriteByte('\n')
		for _, item := range v {
			b.WriteString(strings.Repeat(" ", indent+2) + "- " + scalar(item) + "\n") // a mapping in flow style is JSON
		}
	default:
		b.WriteString(" " + scalar(v) + "\n")
	}
}

func scalar(v any) string { return strings.TrimSpace(string(encoded(v, ""))) }

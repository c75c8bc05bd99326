package splice

import (
	"bytes"
	"fmt"

	"github.com/tailscale/hujson"
)

// render lays a JSON text out in the style, its inner lines indented below indent. The layout is that of JSON.stringify,
// because hosts that rewrite their settings use it, and then our bytes stay as they are.
func render(json []byte, st style, indent string) (string, error) {
	v, err := hujson.Parse(json)
	if err != nil {
		return "", fmt.Errorf("splice: an entry that is to be written is not JSON: %w", err)
	}
	var b bytes.Buffer
	printValue(&b, &v, st, indent)
	return b.String(), nil
}

func printValue(b *bytes.Buffer, v *hujson.Value, st style, indent string) {
	box, ok := unbox(v)
	if !ok {
		b.Write(v.Value.(hujson.Literal))
		return
	}
	b.WriteByte(box.open)
	for i, it := range box.items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(between(st, indent+st.unit, i > 0))
		if box.open == '{' {
			b.WriteString(keyColon(it.key, st))
		}
		printValue(b, it.value, st, indent+st.unit)
	}
	if len(box.items) > 0 && st.newline != "" {
		b.WriteString(st.newline + indent)
	}
	b.WriteByte(box.open + 2) // ']' and '}' stand two behind their partners
}

// between is what stands before an item: a line break and the indent, or, behind a comma on one line, a space.
func between(st style, indent string, comma bool) string {
	switch {
	case st.newline != "":
		return st.newline + indent
	case comma:
		return st.space
	}
	return ""
}

func keyColon(key string, st style) string {
	if st.newline != "" {
		return quote(key) + ": "
	}
	return quote(key) + ":" + st.space
}

func quote(s string) string { return string(hujson.String(s)) }

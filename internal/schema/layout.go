package schema

import (
	"bytes"
	"encoding/json"
	"strings"
)

const lineWidth = 120

// layout writes JSON for people: what fits stands on one line, the rest is taken apart. json is compact and valid.
func layout(b *bytes.Buffer, raw json.RawMessage, indent string, before int) {
	if line := oneLine(raw); len(indent)+before+len(line) <= lineWidth || raw[0] != '{' && raw[0] != '[' {
		b.WriteString(line)
		return
	}
	opening, closing := string(raw[0]), "}"
	if opening == "[" {
		closing = "]"
	}
	b.WriteString(opening + "\n")
	inner := indent + "  "
	for i, p := range parts(raw) {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString(inner + p.key)
		layout(b, p.value, inner, len(p.key))
	}
	b.WriteString("\n" + indent + closing)
}

type part struct {
	key   string // with its colon; "" in a list
	value json.RawMessage
}

// parts takes an object or a list apart, in its order.
func parts(raw json.RawMessage) (all []part) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, err := dec.Token()
	for err == nil && dec.More() {
		var p part
		if raw[0] == '{' {
			var key json.Token
			if key, err = dec.Token(); err != nil {
				break
			}
			name, _ := encode(key)
			p.key = string(name) + ": "
		}
		err = dec.Decode(&p.value)
		all = append(all, p)
	}
	return all
}

// oneLine puts blanks where people expect them.
func oneLine(raw json.RawMessage) string {
	if raw[0] != '{' && raw[0] != '[' {
		return string(raw)
	}
	var list []string
	for _, p := range parts(raw) {
		list = append(list, p.key+oneLine(p.value))
	}
	text := strings.Join(list, ", ")
	if raw[0] == '[' {
		return "[" + text + "]"
	}
	if text == "" {
		return "{}"
	}
	return "{ " + text + " }"
}

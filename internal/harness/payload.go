package harness

import (
	"bytes"
	"encoding/json"
)

// In reads a host's payload.
type In interface {
	// Raw returns the JSON text at a dotted path, byte for byte as the host wrote it, or "" when there is none.
	Raw(path string) string
}

// Payload builds the Claude-shaped payload, key by key in the order of the calls.
type Payload struct {
	buf bytes.Buffer
}

// Raw adds a key with the given JSON text; an empty text adds nothing. The text is copied, never parsed: big numbers, key
// order, escapes and lone surrogates stay as they are.
func (p *Payload) Raw(key, json string) {
	if json == "" {
		return
	}
	if p.buf.Len() == 0 {
		p.buf.WriteByte('{')
	} else {
		p.buf.WriteByte(',')
	}
	p.buf.WriteString(Quoted(key))
	p.buf.WriteByte(':')
	p.buf.WriteString(json)
}

// String adds a key with a string value.
func (p *Payload) String(key, value string) { p.Raw(key, Quoted(value)) }

// Text is String for a value that may be left out: an empty one adds nothing.
func (p *Payload) Text(key, value string) {
	if value != "" {
		p.String(key, value)
	}
}

// Empty says whether nothing was added.
func (p *Payload) Empty() bool { return p.buf.Len() == 0 }

// Bytes returns the finished object, without a trailing newline.
func (p *Payload) Bytes() []byte {
	if p.buf.Len() == 0 {
		return []byte("{}")
	}
	return append(bytes.Clone(p.buf.Bytes()), '}')
}

// First returns the first of the paths that in has a value for.
func First(in In, paths ...string) string {
	for _, p := range paths {
		if v := in.Raw(p); v != "" && v != "null" {
			return v
		}
	}
	return ""
}

// Quoted returns s as a JSON string. Unlike json.Marshal it leaves <, > and & readable.
func Quoted(s string) string {
	if quoted, ok := plainlyQuoted(s); ok {
		return quoted
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return string(bytes.TrimRight(b.Bytes(), "\n"))
}

// plainlyQuoted is Quoted for printable ASCII and line breaks, which nearly everything is. The first use of encoding/json costs a
// process as much as a file.
func plainlyQuoted(s string) (string, bool) {
	b := make([]byte, 0, len(s)+len(s)/8+2)
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			b = append(b, `\n`...)
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case ' ' <= c && c <= '~':
			b = append(b, c)
		default:
			return "", false
		}
	}
	return string(append(b, '"')), true
}

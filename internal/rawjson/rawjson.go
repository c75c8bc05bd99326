// Package rawjson reads JSON without changing it: values are handed out as the text that was written, byte for byte, so that
// big numbers, key order, escapes and lone surrogates reach a handler as the host sent them.
//
// It is what the hot path uses instead of encoding/json's decoding into Go values. Nothing here trusts its input: a text is
// checked once with Valid, and only then taken apart.
package rawjson

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// MaxDepth is how deep objects and arrays may be nested. No hook speaks of anything that comes near; the bound keeps the
// recursive parser off the end of the stack, which in Go ends the process with exit code 2, and that would read as a verdict.
const MaxDepth = 10_000

// Valid says whether s is exactly one JSON value, not nested deeper than MaxDepth. White space around it is no part of it.
func Valid(s string) bool { return !Deep(s) && gjson.Valid(s) }

// Deep says whether s is nested deeper than MaxDepth, whether or not it is JSON.
func Deep(s string) bool {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// Object is a JSON object's members as raw text. Of two equal keys the last holds, as in every handler's own parser.
type Object map[string]string

// ParseObject takes one object apart. It returns false when s is anything else, or not valid.
func ParseObject(s string) (Object, bool) {
	if !Valid(s) {
		return nil, false
	}
	o, ok := Members(s)
	return o, ok
}

// Members is ParseObject for a text that is known to be valid.
func Members(s string) (Object, bool) {
	r := gjson.Parse(s)
	if !r.IsObject() {
		return nil, false
	}
	o := Object{}
	r.ForEach(func(key, value gjson.Result) bool {
		o[key.String()] = value.Raw
		return true
	})
	return o, true
}

// At returns the raw text at a dotted path below a valid value, or "": keys of objects, indexes of arrays.
func At(raw, path string) string {
	for path != "" && raw != "" {
		var step string
		step, path, _ = strings.Cut(path, ".")
		raw = child(raw, step)
	}
	return raw
}

// At returns the raw text at a dotted path below the object, or "".
func (o Object) At(path string) string {
	key, rest, _ := strings.Cut(path, ".")
	return At(o[key], rest)
}

func child(raw, step string) (found string) {
	r := gjson.Parse(raw)
	n, isIndex := index(step)
	switch {
	case r.IsObject():
		r.ForEach(func(key, value gjson.Result) bool {
			if key.String() == step {
				found = value.Raw
			}
			return true
		})
	case r.IsArray() && isIndex:
		r.ForEach(func(_, value gjson.Result) bool {
			n--
			if n < 0 {
				found = value.Raw
			}
			return n >= 0
		})
	}
	return found
}

func index(step string) (int, bool) {
	n, err := strconv.Atoi(step)
	return n, err == nil && n >= 0
}

// IsString says whether raw is a JSON string.
func IsString(raw string) bool { return len(raw) >= 2 && raw[0] == '"' }

// String returns the text of a JSON string, with U+FFFD for what has no UTF-8 form, and "" for any other value.
func String(raw string) string {
	if !IsString(raw) {
		return ""
	}
	if text := raw[1 : len(raw)-1]; raw[len(raw)-1] == '"' && isPlain(text) {
		return text
	}
	var s string
	if json.Unmarshal([]byte(raw), &s) != nil {
		return ""
	}
	return s
}

// isPlain says whether the inside of a JSON string is the text that it stands for. The first use of encoding/json costs a process as
// much as a file.
func isPlain(inside string) bool {
	for i := 0; i < len(inside); i++ {
		if c := inside[i]; c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.ValidString(inside)
}

// Absent says whether there is no value, or null, which hosts and handlers write for "none".
func Absent(raw string) bool { return raw == "" || raw == "null" }

package verdict

import (
	"iter"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// The scan looks at so many bytes of stdout, and gives up after so many braces that open no object: what a handler prints
// must not be able to keep the host waiting.
const (
	scanLength = 1 << 20
	scanMisses = 100
)

// objects yields every outermost JSON object of a text, whatever stands between them. A brace that opens no object is noise,
// and the search goes on right behind it: a log line like "main() {" must not hide the verdict that follows.
func objects(text string) iter.Seq[rawjson.Object] {
	s := text[:min(len(text), scanLength)]
	return func(yield func(rawjson.Object) bool) {
		misses := 0
		for at := next(s, 0); at >= 0 && misses < scanMisses; {
			if !opens(s, at) {
				at = next(s, at+1)
				continue
			}
			end := closing(s, at)
			o, ok := looseObject(s, at, end)
			if !ok {
				misses++
				at = next(s, at+1)
				continue
			}
			if !yield(o) {
				return
			}
			at = next(s, end)
		}
	}
}

// next returns the index of the first opening brace from an index on, or -1.
func next(s string, from int) int {
	if i := strings.IndexByte(s[from:], '{'); i >= 0 {
		return from + i
	}
	return -1
}

// opens glances at what follows the brace: it saves most scans that would end nowhere.
func opens(s string, at int) bool {
	rest := strings.TrimLeft(s[at+1:], " \t\r\n")
	return rest != "" && (rest[0] == '"' || rest[0] == '}')
}

// closing returns the index behind the brace that closes the one at an index, or -1. Braces inside strings do not count.
func closing(s string, at int) int {
	depth, quoted := 0, false
	for i := at; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// looseObject reads s[at:end], also when a string in it holds raw control characters: shell scripts that escape only quotes
// and backslashes leave line breaks and tabs as they are, and the text is readable all the same.
func looseObject(s string, at, end int) (rawjson.Object, bool) {
	if end < 0 {
		return nil, false
	}
	if o, ok := rawjson.ParseObject(s[at:end]); ok {
		return o, true
	}
	return rawjson.ParseObject(escapeControls(s[at:end]))
}

func escapeControls(s string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quoted && c == '\\' && i+1 < len(s) && s[i+1] >= ' ':
			b.WriteByte(c)
			i++
			b.WriteByte(s[i])
		case quoted && c == '\\': // before a raw line break it escapes nothing
			b.WriteString(`\\`)
		case quoted && c < ' ':
			b.Write([]byte{'\\', 'u', '0', '0', hex[c>>4], hex[c&15]})
		default:
			if c == '"' {
				quoted = !quoted
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}

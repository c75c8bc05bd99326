package splice

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// maxDepth bounds the nesting of a document, because the parser recurses and a Go stack that is used up ends the process.
const maxDepth = 500

// bom is the byte order mark that some Windows editors put first. It is kept, and the parser never sees it.
var bom = []byte("\xef\xbb\xbf")

// parse returns the tree of a document without byte order mark. The offsets in it are those of text.
func parse(file string, text []byte) (*hujson.Value, error) {
	if off := tooDeep(text); off >= 0 {
		return nil, at(file, text, off, "nested too deep", fmt.Sprintf("at most %d levels", maxDepth), "")
	}
	// The newline ends a line comment that stands last: JSONC hosts take it, the parser alone would not.
	v, err := hujson.Parse(append(bytes.Clone(text), '\n'))
	if err != nil {
		return nil, syntaxError(file, text, err)
	}
	return &v, nil
}

// syntaxError puts the parser's message, which carries a line and a byte column, into our form.
func syntaxError(file string, text []byte, err error) error {
	var line, col int
	msg := strings.TrimPrefix(err.Error(), "hujson: ")
	if n, _ := fmt.Sscanf(msg, "line %d, column %d:", &line, &col); n == 2 {
		_, msg, _ = strings.Cut(msg, ": ")
	}
	offset := 0
	for range line - 1 {
		n := bytes.IndexByte(text[offset:], '\n') + 1
		if n == 0 { // the end of the text, one line further down for the parser
			offset, col = len(text), 0
		}
		offset += n
	}
	return at(file, text, offset+max(col-1, 0), "not valid JSON: "+msg, "",
		"mend the file by hand first; it was not changed")
}

// tooDeep returns the offset of the bracket that opens one level too many, or -1. Brackets in strings and comments do not
// count.
func tooDeep(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return i
			}
		case '}', ']':
			depth--
		case '"':
			i = skipString(text, i)
		case '/':
			i += max(commentLen(text[i:])-1, 0)
		}
	}
	return -1
}

// skipString returns the offset of the quote that ends the string which starts at i, or of the last byte.
func skipString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text) - 1
}

// commentLen returns the length of the comment that text starts with, 0 when it starts with none. A line comment ends
// before its line break, so that the break counts as white space.
func commentLen(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			return len(text)
		}
		if text[n-1] == '\r' {
			n--
		}
		return n
	case bytes.HasPrefix(text, []byte("/*")):
		if n := bytes.Index(text[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
		return len(text)
	}
	return 0
}

// lastComment returns where the last comment in white space and comments ends, 0 without any, and whether it is one that
// runs to the end of its line.
func lastComment(extra []byte) (end int, line bool) {
	for i := 0; i < len(extra); {
		n := commentLen(extra[i:])
		if n == 0 {
			i++
			continue
		}
		i += n
		end, line = i, extra[i-n+1] == '/'
	}
	return end, line
}

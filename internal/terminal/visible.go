package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible is a writer to a terminal that shows what a terminal would obey: control characters, and marks that turn the direction of
// writing, which may come from anybody's file names, commands and messages. Ends of lines and tabs pass. What it puts in their place
// is the same character in JSON.
type Visible struct{ W io.Writer }

// Write implements io.Writer.
func (v Visible) Write(p []byte) (int, error) {
	text := string(p)
	if !strings.ContainsFunc(text, obeyed) {
		return v.W.Write(p)
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '\r' && strings.HasPrefix(text[i+1:], "\n"), !obeyed(r):
			_, n := utf8.DecodeRuneInString(text[i:])
			b.WriteString(text[i : i+n])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	if _, err := io.WriteString(v.W, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

func obeyed(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}

package shim

import (
	"fmt"
	"strings"
)

// writer collects lines of JavaScript, two spaces a level.
type writer struct {
	b     strings.Builder
	level int
}

// line writes one line at the current level, or several when the text has newlines.
func (w *writer) line(format string, args ...any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimRight(l, " "); l != "" {
			w.b.WriteString(strings.Repeat("  ", w.level) + l)
		}
		w.b.WriteByte('\n')
	}
}

func (w *writer) blank() { w.b.WriteByte('\n') }

// comment writes text as line comments; an empty text writes nothing.
func (w *writer) comment(text string) {
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		if l = strings.TrimSpace(l); l != "" {
			w.line("%s", "// "+l)
		}
	}
}

// block writes head, the body one level deeper, and tail.
func (w *writer) block(head, tail string, body func()) {
	w.line("%s", head)
	w.level++
	body()
	w.level--
	w.line("%s", tail)
}

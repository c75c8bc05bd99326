package descriptor

import (
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// ruler turns a place in a scalar's value into the place in the file.
type ruler struct {
	c     *reader
	n     *yaml.Node
	value []string // the value's lines
	shift int      // characters before the value on its first line, for a scalar of one line
}

// newRuler measures a scalar. ok is false for one whose text does not stand in the file as it is: with a tag, escapes, or
// lines that YAML joins. Then no place in it could be named, and what it says may not be what was written.
func newRuler(c *reader, n *yaml.Node) (r ruler, ok bool) {
	r = ruler{c: c, n: n, value: strings.Split(strings.TrimRight(n.Value, "\n"), "\n")}
	switch n.Style {
	case yaml.LiteralStyle:
		for i, v := range r.value {
			if !strings.HasSuffix(c.Line(n.Line+1+i), v) {
				return r, false
			}
		}
		return r, true
	case yaml.SingleQuotedStyle, yaml.SingleQuotedStyle | yaml.FlowStyle:
		r.shift = n.Column
	case 0, yaml.FlowStyle:
		r.shift = n.Column - 1
	default:
		return r, false
	}
	return r, strings.HasPrefix(skip(c.Line(n.Line), r.shift), n.Value)
}

// place returns the place of a line (from 0) and byte column (from 0) of the value. What lies behind the value is put at
// its end.
func (r ruler) place(line, col int) Pos {
	if line >= len(r.value) {
		line, col = len(r.value)-1, len(r.value[len(r.value)-1])
	}
	v := r.value[line]
	col = utf8.RuneCountInString(v[:min(max(col, 0), len(v))])
	if r.n.Style != yaml.LiteralStyle {
		return Pos{Line: r.n.Line, Col: r.shift + col + 1}
	}
	source := r.c.Line(r.n.Line + 1 + line)
	indent := utf8.RuneCountInString(source) - utf8.RuneCountInString(v)
	return Pos{Line: r.n.Line + 1 + line, Col: indent + col + 1}
}

// offset is place for a byte offset into the value.
func (r ruler) offset(off int) Pos {
	line := 0
	for line < len(r.value)-1 && off > len(r.value[line]) {
		off -= len(r.value[line]) + 1
		line++
	}
	return r.place(line, off)
}

// skip drops n characters.
func skip(s string, n int) string {
	for range n {
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
	}
	return s
}

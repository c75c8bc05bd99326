package splice

import (
	"bytes"
	"strings"
)

// style is how the text around a place is laid out, so that what we add looks as if the file's author wrote it.
type style struct {
	newline string // "\n" or "\r\n"; empty: everything on one line
	unit    string // one level of indent
	space   string // after a colon or a comma on one line: " " or ""
}

// styleOf looks at the whole document: its line ends, its indent and whether it has any layout at all.
func (d *doc) styleOf() style {
	st := style{newline: "\n", unit: "  ", space: " "}
	if n := bytes.IndexByte(d.text, '\n'); n > 0 && d.text[n-1] == '\r' {
		st.newline = "\r\n"
	}
	root, _ := unbox(d.tree)
	if len(root.items) == 0 {
		return st
	}
	first := root.items[0]
	if hasBreak(first.before) {
		st.unit = d.indentAt(first.start)
	}
	if !bytes.ContainsAny(d.text[root.start:root.end], "\r\n") {
		st.newline = ""
	}
	if len(first.value.BeforeExtra) == 0 {
		st.space = ""
	}
	return st
}

// styleIn narrows the document's style to what holds inside one box: a box on one line stays on one line.
func (d *doc) styleIn(st style, b box, parents []box) style {
	if len(b.items) > 0 {
		if !hasBreak(b.items[len(b.items)-1].before) {
			st.newline = ""
		}
		return st
	}
	if hasBreak(b.extra) {
		return st
	}
	if n := len(parents); n > 0 && !hasBreak(parents[n-1].items[0].before) {
		st.newline = ""
	}
	return st
}

func hasBreak(extra []byte) bool { return bytes.IndexByte(extra, '\n') >= 0 }

// indentAt returns the white space that the line of the offset starts with.
func (d *doc) indentAt(offset int) string {
	start := bytes.LastIndexByte(d.text[:offset], '\n') + 1
	line := d.text[start:offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// childIndent is the indent of an item that is added to the box.
func (d *doc) childIndent(b box, st style) string {
	if n := len(b.items); n > 0 {
		return d.indentAt(b.items[n-1].start)
	}
	return d.indentAt(b.start) + st.unit
}

// isBlank says whether the text is white space alone.
func isBlank(text []byte) bool { return strings.TrimSpace(string(text)) == "" }

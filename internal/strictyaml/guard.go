package strictyaml

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	maxBytes      = 1 << 20 // of a file; the largest descriptor has some ten thousand
	maxDepth      = 32      // of nested mappings and lists
	maxRuneFaults = 10      // of one file; a binary has thousands
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// take checks the bytes, before any parser sees them, and keeps the text. It reports false when there is nothing to parse.
func (c *Context) take(src []byte) bool {
	if len(src) > maxBytes {
		c.ReportAt(Pos{}, Fault{What: fmt.Sprintf("the file has %d bytes", len(src)), Expected: fmt.Sprintf("at most %d", maxBytes)})
		return false
	}
	src = bytes.TrimPrefix(src, byteOrderMark)
	c.text = strings.ReplaceAll(string(src), "\r\n", "\n")
	c.lines = strings.Split(c.text, "\n")
	c.checkRunes()
	return len(c.faults) == 0
}

// checkRunes reports characters that a reader cannot see or that YAML takes for the end of a line.
func (c *Context) checkRunes() {
	for i, line := range c.lines {
		col := 0
		for at, r := range line {
			col++
			what := strange(r)
			if r == utf8.RuneError && !strings.HasPrefix(line[at:], "\uFFFD") {
				what = fmt.Sprintf("the byte 0x%02x is not UTF-8", line[at])
			}
			if what == "" {
				continue
			}
			c.ReportAt(Pos{i + 1, col}, Fault{What: what, Hint: "take it out"})
			if len(c.faults) == maxRuneFaults {
				return
			}
		}
	}
}

// strange says what is wrong with a character, or "".
func strange(r rune) string {
	switch {
	case r == '\r':
		return "a carriage return that no line feed follows"
	case r < ' ' && r != '\t', r == 0x7f:
		return fmt.Sprintf("the control character %U", r)
	case r == 0x85, r == 0x2028, r == 0x2029:
		return fmt.Sprintf("the character %U ends a line in YAML, and nobody sees it", r)
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return fmt.Sprintf("the character %U changes the direction of writing, so that people read another text than programs", r)
	case r == 0xfeff:
		return "a byte order mark inside the file"
	}
	return ""
}

// at returns the character at a place, or 0.
func (c *Context) at(p Pos) rune {
	if p.Line < 1 || p.Line > len(c.lines) || p.Col < 1 {
		return 0
	}
	col := 0
	for _, r := range c.lines[p.Line-1] {
		if col++; col == p.Col {
			return r
		}
	}
	return 0
}

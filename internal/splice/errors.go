package splice

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Error says why a file cannot be edited: where, what stands there, what was expected and what to do.
type Error struct {
	File      string
	Line, Col int // 1-based; Col counts characters, not bytes
	What      string
	Expected  string // may be empty
	Fix       string
}

// Error returns one line: file:line:col: what; expected ...; fix.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.What)
	if e.Expected != "" {
		s += "; expected " + e.Expected
	}
	if e.Fix != "" {
		s += "; " + e.Fix
	}
	return s
}

// EditedError says that an entry of ours was changed by someone else, so that replacing or removing it would lose the
// change. File.Force overrides.
type EditedError struct{ Place *Error }

// Error returns the place and what to do.
func (e *EditedError) Error() string { return e.Place.Error() }

// Unwrap gives the place to errors.As.
func (e *EditedError) Unwrap() error { return e.Place }

// at makes an Error for the byte offset in the text.
func at(file string, text []byte, offset int, what, expected, fix string) *Error {
	line, col := place(text, offset)
	return &Error{File: file, Line: line, Col: col, What: what, Expected: expected, Fix: fix}
}

// place turns a byte offset into a line and a column, both 1-based.
func place(text []byte, offset int) (line, col int) {
	before := text[:min(offset, len(text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

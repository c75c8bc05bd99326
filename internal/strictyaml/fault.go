package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a file. Line and column count from 1, columns in characters; the zero Pos means "not there".
type Pos struct{ Line, Col int }

// IsZero says that nothing stands there: the key was absent.
func (p Pos) IsZero() bool { return p == Pos{} }

// Fault is one thing that is wrong with a file.
type Fault struct {
	File      string
	Line, Col int    // from 1; 0 when the file as a whole is meant
	What      string // what is wrong, with the offending text
	Expected  string // what could have stood there; may be empty
	Hint      string // the name that was probably meant, or what to write instead; may be empty
}

// At returns a fault at a place.
func At(file string, pos Pos, format string, args ...any) Fault {
	return Fault{File: file, Line: pos.Line, Col: pos.Col, What: fmt.Sprintf(format, args...)}
}

// String returns "file:line:col: what; expected ...; hint", with the parts that are set.
func (f Fault) String() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Line)
	}
	if f.Col > 0 {
		fmt.Fprintf(&b, ":%d", f.Col)
	}
	b.WriteString(": " + f.What)
	if f.Expected != "" {
		b.WriteString("; expected " + f.Expected)
	}
	if f.Hint != "" {
		b.WriteString("; " + f.Hint)
	}
	return b.String()
}

// Faults is everything that is wrong, as one error. Its text has one line a fault.
type Faults []Fault

// Error returns the faults, one a line.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Err returns the faults in the order of the files and places, each once; nil when there are none.
func (fs Faults) Err() error {
	if len(fs) == 0 {
		return nil
	}
	sorted := slices.Clone(fs)
	slices.SortStableFunc(sorted, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.Compact(sorted)
}

// Package hookmatch is the `matcher` of Claude's hooks: which calls of an event a hook is for. Measured on Claude's own program
// (e2e, "matcher: expressions").
package hookmatch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/jsregexp"
)

// Fits says whether the matcher fits one of the names that an event goes by. "" and "*" fit all; names separated by | or , fit
// exactly; anything else is a regular expression as JavaScript has it, case-sensitive and not anchored. An event without names
// cannot be told apart by a matcher, and is fitted. The error is that of an expression that does not compile, or tries too much.
func Fits(matcher string, names []string) (bool, error) {
	if matcher == "" || matcher == "*" || len(names) == 0 {
		return true, nil
	}
	if isNames(matcher) {
		return slices.ContainsFunc(strings.FieldsFunc(matcher, isSeparator), func(name string) bool {
			return slices.Contains(names, strings.TrimSpace(name))
		}), nil
	}
	re, err := jsregexp.Compile(matcher)
	if err != nil {
		return false, fmt.Errorf("its matcher %q is no regular expression: %w", matcher, err)
	}
	for _, name := range names {
		if found, err := re.Match(name); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// Check returns what keeps a matcher from ever fitting: that it is no regular expression. Claude runs no hook with such a one.
func Check(matcher string) error {
	if matcher == "" || matcher == "*" || isNames(matcher) {
		return nil
	}
	_, err := jsregexp.Compile(matcher)
	return err
}

func isSeparator(r rune) bool { return r == '|' || r == ',' }

// isNames: Claude takes a matcher of these characters alone for names, and everything else for an expression.
func isNames(matcher string) bool {
	for i := 0; i < len(matcher); i++ {
		c := matcher[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && !strings.ContainsRune("_|, -", rune(c)) {
			return false
		}
	}
	return true
}

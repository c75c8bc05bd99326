// Package jsregexp matches regular expressions as JavaScript's RegExp does, without flags: with look-around and back references,
// and with what ECMA-262 (edition 2024, annex B.1.2 with it) makes of braces, brackets and escapes that mean nothing.
//
// Claude Code hands a hook's matcher to RegExp, so `^(?!Read).*` is a matcher and `(?i)bash` is none. Package regexp knows
// neither of them. The libraries that do take as long to start as a dispatch without handlers (docs/dependencies.md), so this one
// is our own: it makes nothing before it is asked. A test holds it against node, expression by expression.
package jsregexp

import (
	"errors"
	"unicode/utf16"
)

// Regexp is a compiled expression. It can be used by several goroutines at a time.
type Regexp struct {
	root   node
	groups int // with group 0, the whole match
}

// maxSteps bounds what one Match may try: an expression can be made to try for years. A name that takes more than a
// thousandth of it is not known.
const maxSteps = 1_000_000

// ErrTooLong is the error of a match that was given up.
var ErrTooLong = errors.New("the expression tries too much; write it without a repetition inside of a repetition")

// Match says whether the expression matches somewhere in s. The only error is ErrTooLong.
func (r *Regexp) Match(s string) (bool, error) {
	m := &machine{s: utf16.Encode([]rune(s)), steps: maxSteps}
	for i := 0; i <= len(m.s); i++ {
		m.groups = make([]span, r.groups)
		found := r.root.match(m, i, func(int) bool { return true })
		if m.steps < 0 {
			return false, ErrTooLong
		}
		if found {
			return true, nil
		}
	}
	return false, nil
}

package jsregexp

import "unicode"

// set says whether a unit belongs to it.
type set func(uint16) bool

func only(c uint16) set         { return func(x uint16) bool { return x == c } }
func between(a, b uint16) set   { return func(x uint16) bool { return a <= x && x <= b } }
func (s set) not() set          { return func(x uint16) bool { return !s(x) } }
func (s set) or(other set) set  { return func(x uint16) bool { return s(x) || other(x) } }
func nothing(uint16) bool       { return false }
func isDigit(c uint16) bool     { return '0' <= c && c <= '9' }
func isOctal(c uint16) bool     { return '0' <= c && c <= '7' }
func isLetter(c uint16) bool    { return 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80 }
func isWord(c uint16) bool      { return isDigit(c) || isLetter(c) || c == '_' }
func isLineBreak(c uint16) bool { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 }

func isSpace(c uint16) bool {
	return c == '\t' || c == '\v' || c == '\f' || c == 0xfeff || isLineBreak(c) || unicode.Is(unicode.Zs, rune(c))
}

// classEscape returns the set that \d and its like stand for.
func classEscape(c uint16) (set, bool) {
	switch c {
	case 'd':
		return isDigit, true
	case 'D':
		return set(isDigit).not(), true
	case 's':
		return isSpace, true
	case 'S':
		return set(isSpace).not(), true
	case 'w':
		return isWord, true
	case 'W':
		return set(isWord).not(), true
	}
	return nil, false
}

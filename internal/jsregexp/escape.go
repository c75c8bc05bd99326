package jsregexp

import "unicode/utf16"

// escape takes what is behind a backslash outside of brackets.
func (p *parser) escape() node {
	if !p.more() {
		p.fail(`nothing behind \`)
	}
	c := p.peek(0)
	if of, ok := classEscape(c); ok {
		p.at++
		return p.unit(of)
	}
	if c == 'k' && p.names != nil {
		return p.namedReference()
	}
	if '1' <= c && c <= '9' {
		begin := p.at
		if n, _ := p.number(); n <= p.all {
			return reference{number: n, back: p.back}
		}
		p.at = begin // then it is an octal number, or itself
	}
	return p.unit(only(p.character()))
}

func (p *parser) namedReference() node {
	p.at++
	if !p.eat("<") {
		p.fail(`\k without a group's name`)
	}
	number, known := p.names[p.groupName()]
	if !known {
		p.fail(`\k with a name that no group has`)
	}
	return reference{number: number, back: p.back}
}

// character takes what is behind a backslash and stands for one unit.
func (p *parser) character() uint16 {
	c := p.next()
	switch c {
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	case 'c':
		if isLetter(p.peek(0)) {
			return p.next() % 32
		}
		p.at-- // the backslash is itself, and then comes a c
		return '\\'
	case 'x':
		return p.hex(2, c)
	case 'u':
		return p.hex(4, c)
	}
	if isOctal(c) {
		return p.octal(c - '0')
	}
	return c
}

// hex takes n hexadecimal digits; where they are not there, the letter stands for itself.
func (p *parser) hex(n int, itself uint16) (value uint16) {
	for i := range n {
		c := p.peek(i)
		switch {
		case isDigit(c):
			value = value<<4 | (c - '0')
		case isLetter(c) && c|0x20 <= 'f':
			value = value<<4 | (c | 0x20 - 'a' + 10)
		default:
			return itself
		}
	}
	p.at += n
	return value
}

// octal takes up to two more digits, as long as the number fits a byte.
func (p *parser) octal(value uint16) uint16 {
	for range 2 {
		if c := p.peek(0); isOctal(c) && value*8+(c-'0') <= 0o377 {
			value = value*8 + (p.next() - '0')
		} else {
			break
		}
	}
	return value
}

// class takes a class in brackets, from behind the opening one.
func (p *parser) class() set {
	negative := p.eat("^")
	of := set(nothing)
	for !p.eat("]") {
		first, isSet := p.classAtom()
		if p.peek(0) != '-' || p.peek(1) == ']' || p.at+1 >= len(p.text) {
			of = of.or(first.set())
			continue
		}
		p.at++
		last, isSetToo := p.classAtom()
		switch {
		case isSet || isSetToo: // a - beside \w is itself
			of = of.or(first.set()).or(only('-')).or(last.set())
		case last.c < first.c:
			p.fail("range out of order in []")
		default:
			of = of.or(between(first.c, last.c))
		}
	}
	if negative {
		return of.not()
	}
	return of
}

// member is one unit in brackets, or a set.
type member struct {
	c  uint16
	of set
}

func (m member) set() set {
	if m.of != nil {
		return m.of
	}
	return only(m.c)
}

func (p *parser) classAtom() (m member, isSet bool) {
	if !p.more() {
		p.fail("missing ]")
	}
	c := p.next()
	if c != '\\' {
		return member{c: c}, false
	}
	if !p.more() {
		p.fail(`nothing behind \`)
	}
	if of, ok := classEscape(p.peek(0)); ok {
		p.at++
		return member{of: of}, true
	}
	switch {
	case p.eat("b"):
		return member{c: '\b'}, false
	case p.peek(0) == 'c' && (isDigit(p.peek(1)) || p.peek(1) == '_'):
		p.at++
		return member{c: p.next() % 32}, false
	}
	return member{c: p.character()}, false
}

// findGroups counts the groups of the whole expression, which decides what \1 and \k are.
func (p *parser) findGroups() {
	for inClass := false; p.more(); {
		switch c := p.next(); {
		case c == '\\':
			p.at++
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case c == '(':
			named := p.peek(0) == '?' && p.peek(1) == '<' && p.peek(2) != '=' && p.peek(2) != '!'
			if p.peek(0) == '?' && !named {
				continue
			}
			p.all++
			if named {
				p.noteName()
			}
		}
	}
	p.at = 0
}

// noteName looks at a group's name. A bad one is found again, and told, when the group is read.
func (p *parser) noteName() {
	if p.names == nil {
		p.names = map[string]int{}
	}
	begin := p.at
	p.at += len("?<")
	_ = p.try(func() {
		name := p.groupName()
		if p.names[name] == 0 {
			p.names[name] = p.all
		}
	})
	p.at = begin
}

// groupName takes a name and the > behind it. Names are told apart and else not looked at: what is no identifier of JavaScript
// is refused for ASCII alone.
func (p *parser) groupName() string {
	begin := p.at
	for p.more() && p.peek(0) != '>' {
		c := p.peek(0)
		if c < 0x80 && !isWord(c) && c != '$' || p.at == begin && isDigit(c) {
			p.fail("a group's name is no identifier")
		}
		p.at++
	}
	name := string(utf16.Decode(p.text[begin:p.at]))
	if name == "" || !p.eat(">") {
		p.fail("a group's name is no identifier")
	}
	return name
}

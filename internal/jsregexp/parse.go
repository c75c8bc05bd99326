package jsregexp

import (
	"fmt"
	"slices"
	"unicode/utf16"
)

// Compile reads an expression. The error says what RegExp would not take, and where: the first unit has number 1.
func Compile(text string) (*Regexp, error) {
	p := &parser{text: utf16.Encode([]rune(text))}
	p.findGroups()
	var root node
	err := p.try(func() {
		root = p.disjunction()
		if p.more() {
			p.fail("unmatched )")
		}
	})
	if err != nil {
		return nil, err
	}
	return &Regexp{root: root, groups: p.groups + 1}, nil
}

type parser struct {
	text   []uint16
	at     int
	groups int  // that were opened
	back   bool // inside of a look-behind

	all   int            // groups of the whole expression
	names map[string]int // by name; nil = no group has one, and \k means nothing
}

type syntaxError struct{ error }

func (p *parser) fail(what string) {
	panic(syntaxError{fmt.Errorf("%s at character %d", what, min(p.at, len(p.text))+1)})
}

func (p *parser) try(f func()) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case syntaxError:
			err = e.error
		default:
			panic(e)
		}
	}()
	f()
	return nil
}

func (p *parser) more() bool { return p.at < len(p.text) }

// peek returns the unit n places ahead; beyond the end it is 0, which no caller looks for.
func (p *parser) peek(n int) uint16 {
	if p.at+n < len(p.text) {
		return p.text[p.at+n]
	}
	return 0
}

func (p *parser) next() uint16 {
	c := p.peek(0)
	p.at++
	return c
}

// eat takes a text, if it is next.
func (p *parser) eat(text string) bool {
	for i := range len(text) {
		if p.at+i >= len(p.text) || p.text[p.at+i] != uint16(text[i]) {
			return false
		}
	}
	p.at += len(text)
	return true
}

func (p *parser) disjunction() node {
	parts := choice{p.alternative()}
	for p.eat("|") {
		parts = append(parts, p.alternative())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return parts
}

func (p *parser) alternative() node {
	var parts sequence
	for p.more() && p.peek(0) != '|' && p.peek(0) != ')' {
		parts = append(parts, p.term())
	}
	if p.back {
		slices.Reverse(parts)
	}
	return parts
}

func (p *parser) term() node {
	first := p.groups
	n, repeatable := p.atom()
	low, high, ok := p.quantifier()
	if !ok {
		return n
	}
	if !repeatable {
		p.fail("nothing to repeat")
	}
	return repeat{body: n, low: low, high: high, lazy: p.eat("?"), first: first + 1, last: p.groups + 1}
}

// quantifier takes a quantifier without its ?, if one is next.
func (p *parser) quantifier() (low, high int, ok bool) {
	switch {
	case p.eat("*"):
		return 0, -1, true
	case p.eat("+"):
		return 1, -1, true
	case p.eat("?"):
		return 0, 1, true
	}
	begin := p.at
	low, high, ok = p.braces()
	if !ok {
		p.at = begin // then the brace is a brace
	} else if high >= 0 && high < low {
		p.fail("numbers out of order in {}")
	}
	return low, high, ok
}

func (p *parser) braces() (low, high int, ok bool) {
	if !p.eat("{") {
		return 0, 0, false
	}
	if low, ok = p.number(); !ok {
		return 0, 0, false
	}
	high = low
	if p.eat(",") {
		if high, ok = p.number(); !ok {
			high = -1
		}
	}
	return low, high, p.eat("}")
}

// number takes a decimal number. What is bigger than all texts is as big as any.
func (p *parser) number() (n int, ok bool) {
	for ; p.more() && isDigit(p.peek(0)); ok = true {
		n = min(n*10+int(p.next()-'0'), 1<<30)
	}
	return n, ok
}

// atom takes what can be repeated, or an assertion, which cannot; a look-ahead can.
func (p *parser) atom() (n node, repeatable bool) {
	switch {
	case p.eat("^"):
		return assertion(atBegin), false
	case p.eat("$"):
		return assertion(atEnd), false
	case p.eat(`\b`):
		return assertion(atWordEdge), false
	case p.eat(`\B`):
		return assertion(notAtWordEdge), false
	case p.eat("(?="):
		return p.look(false, false), true
	case p.eat("(?!"):
		return p.look(false, true), true
	case p.eat("(?<="):
		return p.look(true, false), false
	case p.eat("(?<!"):
		return p.look(true, true), false
	case p.eat("(?:"):
		return p.closed(p.disjunction()), true
	case p.eat("(?<"):
		if name := p.groupName(); p.names[name] != p.groups+1 {
			p.fail("two groups have one name")
		}
		return p.group(), true
	case p.eat("(?"):
		p.at--
		p.fail("unknown kind of group")
	case p.eat("("):
		return p.group(), true
	case p.eat("."):
		return p.unit(set(isLineBreak).not()), true
	case p.eat("["):
		return p.unit(p.class()), true
	case p.eat(`\`):
		return p.escape(), true
	}
	if _, _, is := p.quantifier(); is {
		p.fail("nothing to repeat")
	}
	return p.unit(only(p.next())), true
}

func (p *parser) unit(of set) node { return unit{of: of, back: p.back} }

// closed takes the end of a group.
func (p *parser) closed(n node) node {
	if !p.eat(")") {
		p.fail("missing )")
	}
	return n
}

func (p *parser) group() node {
	p.groups++
	number := p.groups
	return group{body: p.closed(p.disjunction()), number: number}
}

func (p *parser) look(back, negative bool) node {
	outside := p.back
	p.back = back
	body := p.closed(p.disjunction())
	p.back = outside
	return look{body: body, negative: negative}
}

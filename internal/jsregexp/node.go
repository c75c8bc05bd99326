package jsregexp

import "slices"

// machine is one attempt to match. JavaScript without the flag u knows no characters, only the units of UTF-16.
type machine struct {
	s      []uint16
	groups []span // what each group has matched last
	steps  int    // that are left; below 0 = too many, and whatever is returned counts for nothing
}

// span is a part of the text. A group that has not matched has the zero span, which is as good: an empty text.
type span struct{ from, to int }

// node is a part of an expression. match tries it at i and, for each end that it can have, asks k whether the rest matches
// there; it says whether one was found. Where k says no, the groups are as they were.
//
// What stands in a look-behind is matched from its end to its beginning (back), as ECMA-262 has it.
type node interface {
	match(m *machine, i int, k func(int) bool) bool
}

// unit is one unit of the text out of a set.
type unit struct {
	of   set
	back bool
}

func (n unit) match(m *machine, i int, k func(int) bool) bool {
	if m.steps--; m.steps < 0 {
		return false
	}
	at, next := i, i+1
	if n.back {
		at, next = i-1, i-1
	}
	return at >= 0 && at < len(m.s) && n.of(m.s[at]) && k(next)
}

// sequence is its parts one behind the other, in the order in which they are matched.
type sequence []node

func (n sequence) match(m *machine, i int, k func(int) bool) bool {
	if len(n) == 0 {
		return k(i)
	}
	return n[0].match(m, i, func(j int) bool { return n[1:].match(m, j, k) })
}

// choice is the first of its parts that lets the rest match.
type choice []node

func (n choice) match(m *machine, i int, k func(int) bool) bool {
	return slices.ContainsFunc(n, func(part node) bool { return part.match(m, i, k) })
}

// group remembers what it matched.
type group struct {
	body   node
	number int
}

func (n group) match(m *machine, i int, k func(int) bool) bool {
	return n.body.match(m, i, func(j int) bool {
		before := m.groups[n.number]
		m.groups[n.number] = span{min(i, j), max(i, j)}
		if k(j) {
			return true
		}
		m.groups[n.number] = before
		return false
	})
}

// reference is what a group matched, once more. A group that has not matched is the empty text.
type reference struct {
	number int
	back   bool
}

func (n reference) match(m *machine, i int, k func(int) bool) bool {
	was := m.groups[n.number]
	text := m.s[was.from:was.to]
	from, next := i, i+len(text)
	if n.back {
		from, next = i-len(text), i-len(text)
	}
	return from >= 0 && from+len(text) <= len(m.s) && slices.Equal(m.s[from:from+len(text)], text) && k(next)
}

// look matches its body here without moving on; negative: it must not match.
type look struct {
	body     node
	negative bool
}

func (n look) match(m *machine, i int, k func(int) bool) bool {
	before := slices.Clone(m.groups)
	found := n.body.match(m, i, func(int) bool { return true })
	if n.negative {
		copy(m.groups, before)
	}
	if found == n.negative {
		return false
	}
	if k(i) {
		return true
	}
	copy(m.groups, before)
	return false
}

// assertion holds at a place, or not.
type assertion func(m *machine, i int) bool

func (n assertion) match(m *machine, i int, k func(int) bool) bool { return n(m, i) && k(i) }

func atBegin(_ *machine, i int) bool { return i == 0 }
func atEnd(m *machine, i int) bool   { return i == len(m.s) }

func atWordEdge(m *machine, i int) bool {
	before, after := i > 0 && isWord(m.s[i-1]), i < len(m.s) && isWord(m.s[i])
	return before != after
}

func notAtWordEdge(m *machine, i int) bool { return !atWordEdge(m, i) }

// repeat is its body low to high times; high -1 has no end. The groups from first to before last are those in the body.
type repeat struct {
	body        node
	low, high   int
	lazy        bool
	first, last int
}

func (n repeat) match(m *machine, i int, k func(int) bool) bool {
	return n.again(m, i, n.low, n.high, k)
}

// again matches low to high more times. Beyond low, a body that matches nothing is not tried again: it would for ever.
func (n repeat) again(m *machine, i, low, high int, k func(int) bool) bool {
	if m.steps--; m.steps < 0 {
		return false
	}
	if high == 0 {
		return k(i)
	}
	if low == 0 && n.lazy && k(i) {
		return true
	}
	before := slices.Clone(m.groups[n.first:n.last])
	clear(m.groups[n.first:n.last])
	if n.body.match(m, i, func(j int) bool {
		if low == 0 && j == i {
			return false
		}
		return n.again(m, j, max(low-1, 0), max(high-1, -1), k)
	}) {
		return true
	}
	copy(m.groups[n.first:n.last], before)
	return low == 0 && !n.lazy && k(i)
}

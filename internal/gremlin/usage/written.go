package usage

import (
	"encoding/json"
	"strconv"
	"unsafe"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// written reads a line in the one form in which the ledger is written: the keys of record.Result in their order, no blanks, each
// value of its type. False: it is something else, which need not be wrong. It looks at every byte once and allocates nothing,
// unless the name of a block has more than plain characters in it; the entry's texts are those of the line.
func written(line []byte) (e entry, ok bool) {
	c := cursor{rest: line}
	c.key(`{"job":`)
	c.str()
	c.key(`,"kind":`)
	e.kind = c.str()
	c.key(`,"method":`)
	c.text()
	c.key(`,"base":`)
	c.str()
	c.key(`,"block":`)
	e.block = c.text()
	c.key(`,"phase":`)
	e.phase = c.small()
	c.key(`,"status":`)
	e.status = c.str()
	c.key(`,"flags":`)
	e.cold = c.has(record.ColdStart)
	for _, name := range []string{`,"fingerprint":`, `,"session":`, `,"parent_session":`} {
		c.key(name)
		c.text()
	}
	c.key(`,"models_used":`)
	c.has("")
	c.key(`,"tokens":`)
	e.tokens, e.told = c.tokens()
	c.key(`,"cost_delta_usd":`)
	if cost, told := c.float(); told {
		e.price(cost)
	}
	c.key(`,"cache":`)
	e.cache = c.text()
	c.key(`,"base_state":`)
	c.text()
	c.key(`,"wall_s":`)
	wall, _ := c.float()
	e.wallMS = milliseconds(wall)
	c.key(`,"turns":`)
	c.smallOrNull()
	c.key(`,"denials":`)
	c.smallOrNull()
	c.key(`,"note":`)
	c.text()
	c.key(`,"raw":`)
	c.text()
	c.key(`,"paths":`)
	c.has("")
	c.key(`,"reason":`)
	c.text()
	c.key(`,"model_requested":`)
	c.text()
	c.key(`}`)
	return e, !c.lost && len(c.rest) == 0
}

// cursor goes through a line. Once something else stands there than was expected it is lost, and stays so.
type cursor struct {
	rest []byte
	lost bool
}

func (c *cursor) key(s string) {
	if !c.next(s) {
		c.lost = true
	}
}

// next steps over s, if s is next.
func (c *cursor) next(s string) bool {
	if len(c.rest) < len(s) || string(c.rest[:len(s)]) != s {
		return false
	}
	c.rest = c.rest[len(s):]
	return true
}

func (c *cursor) null() bool { return c.next("null") }

// text is a string or null.
func (c *cursor) text() text {
	if c.null() {
		return text{}
	}
	return text{c.str(), true}
}

// Of each byte within a string: may it stand there, and for itself?
const (
	plain = iota
	special
	never // the end, or a character that must be written otherwise
)

var class = func() (t [256]byte) {
	for b := range t {
		switch {
		case b < ' ' || b == '"':
			t[b] = never
		case b == '\\' || b >= 0x80:
			t[b] = special
		}
	}
	return t
}()

// str is a string.
func (c *cursor) str() string {
	if len(c.rest) < 2 || c.rest[0] != '"' {
		c.lost = true
		return ""
	}
	i := 1
	for i < len(c.rest) && class[c.rest[i]] == plain {
		i++
	}
	if i < len(c.rest) && c.rest[i] == '"' {
		s := c.rest[1:i]
		c.rest = c.rest[i+1:]
		return unsafe.String(unsafe.SliceData(s), len(s))
	}
	return c.special(i)
}

// special is a string that has at i the first character which is not plain: the decoder reads what it says.
func (c *cursor) special(i int) (s string) {
	for i < len(c.rest) && class[c.rest[i]] != never {
		if c.rest[i] == '\\' {
			i++
		}
		i++
	}
	if i >= len(c.rest) || c.rest[i] != '"' || json.Unmarshal(c.rest[:i+1], &s) != nil {
		c.lost = true
		return ""
	}
	c.rest = c.rest[i+1:]
	return s
}

// has says whether a list of strings, or null, has s in it.
func (c *cursor) has(s string) (found bool) {
	if c.null() || c.next("[]") {
		return false
	}
	c.key("[")
	for !c.lost {
		found = c.str() == s || found
		if c.next("]") {
			break
		}
		c.key(",")
	}
	return found
}

func (c *cursor) tokens() (t record.Tokens, told bool) {
	if c.null() {
		return t, false
	}
	c.key(`{"input":`)
	t.Input = c.whole(18)
	c.key(`,"output":`)
	t.Output = c.whole(18)
	c.key(`,"cache_creation":`)
	t.CacheCreation = c.whole(18)
	c.key(`,"cache_creation_1h":`)
	t.CacheCreation1h = c.whole(18)
	c.key(`,"cache_creation_5m":`)
	t.CacheCreation5m = c.whole(18)
	c.key(`,"cache_read":`)
	t.CacheRead = c.whole(18)
	c.key(`}`)
	return t, true
}

// small is a whole number that an int holds everywhere.
func (c *cursor) small() int64 { return c.whole(9) }

func (c *cursor) smallOrNull() {
	if !c.null() {
		c.small()
	}
}

// whole is a whole number of at most so many digits.
func (c *cursor) whole(most int) (n int64) {
	minus := c.next("-")
	digits := c.digits()
	if len(digits) == 0 || len(digits) > most || digits[0] == '0' && len(digits) > 1 {
		c.lost = true
		return 0
	}
	for _, d := range digits {
		n = n*10 + int64(d-'0')
	}
	if minus {
		return -n
	}
	return n
}

func (c *cursor) digits() []byte {
	i := 0
	for i < len(c.rest) && c.rest[i]-'0' <= 9 {
		i++
	}
	digits := c.rest[:i]
	c.rest = c.rest[i:]
	return digits
}

// float is a number or null.
func (c *cursor) float() (f float64, told bool) {
	if c.null() {
		return 0, false
	}
	all := c.rest
	c.next("-")
	if digits := c.digits(); len(digits) == 0 || digits[0] == '0' && len(digits) > 1 {
		c.lost = true
	}
	if c.next(".") && len(c.digits()) == 0 {
		c.lost = true
	}
	if c.next("e") || c.next("E") {
		if !c.next("+") {
			c.next("-")
		}
		if len(c.digits()) == 0 {
			c.lost = true
		}
	}
	f, err := strconv.ParseFloat(string(all[:len(all)-len(c.rest)]), 64)
	if err != nil {
		c.lost = true
	}
	return f, true
}

package once

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bucket is what one file holds: a line for each origin of each event.
type bucket []count

// count is how often an origin brought an event.
type count struct {
	key, origin string // in hex: what is kept tells nobody what an agent did
	times       int
	last        time.Time // the last sight of the event, whoever brought it
}

// parse reads the lines that are whole and not expired. A time that has yet to come is that of a clock that was put back,
// and counts as expired.
func parse(src []byte, now time.Time) (b bucket) {
	for line := range strings.Lines(string(src)) {
		words := strings.Fields(line)
		if len(words) != 4 || !strings.HasSuffix(line, "\n") {
			continue
		}
		ms, err1 := strconv.ParseInt(words[0], 10, 64)
		times, err2 := strconv.Atoi(words[3])
		last := time.UnixMilli(ms)
		if err1 == nil && err2 == nil && now.Sub(last).Abs() < Expiry {
			b = append(b, count{key: words[1], origin: words[2], times: times, last: last})
		}
	}
	return b
}

func (b bucket) bytes() []byte {
	var out []byte
	for _, c := range b {
		out = strconv.AppendInt(out, c.last.UnixMilli(), 10)
		out = append(out, " "+c.key+" "+c.origin+" "...)
		out = append(strconv.AppendInt(out, int64(c.times), 10), '\n')
	}
	return out
}

// sight counts one more, and says whether the origin brings what no other has brought yet.
func (b *bucket) sight(origin string, key Key) bool {
	name, sum := keyName(key), sha256.Sum256([]byte(origin))
	who, most, mine := hex.EncodeToString(sum[:8]), 0, -1
	for i, c := range *b {
		if c.key == name {
			most = max(most, c.times)
			if c.origin == who {
				mine = i
			}
		}
	}
	if mine < 0 {
		mine = len(*b)
		*b = append(*b, count{key: name, origin: who})
	}
	(*b)[mine].times++
	return (*b)[mine].times > most
}

// has says whether any origin brought the event.
func (b bucket) has(key Key) bool {
	name := keyName(key)
	return slices.ContainsFunc(b, func(c count) bool { return c.key == name })
}

// touch puts the expiry of an event off, for all of its origins: counts that pair must not be forgotten one by one.
func (b bucket) touch(key Key, now time.Time) {
	name := keyName(key)
	for i := range b {
		if b[i].key == name {
			b[i].last = now
		}
	}
}

func keyName(key Key) string { return hex.EncodeToString(key[:16]) }

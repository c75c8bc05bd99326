package usage

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// entry is what is summed of a line of the ledger. Its texts lie in the line.
type entry struct {
	kind, status string
	block, cache text
	phase        int64
	cold         bool // it has the flag cold_start
	tokens       record.Tokens
	told         bool // its tokens are known
	nanoUSD      int64
	priced       bool
	wallMS       int64
}

// text may be null.
type text struct {
	s  string
	is bool
}

func textOf(s *string) text {
	if s == nil {
		return text{}
	}
	return text{*s, true}
}

// parse reads a line. False: it is no record. The form in which the ledger is written is read at once; of any other the decoder
// of all of it has the say, which needs ten times as long.
func parse(line []byte) (e entry, ok bool) {
	if e, ok = written(line); ok {
		return e, e.kind != ""
	}
	r, ok := decode(line)
	return entryOf(r), ok
}

// decode reads all of a line. False: it is no record.
func decode(line []byte) (r record.Result, ok bool) {
	err := json.Unmarshal(line, &r)
	return r, err == nil && r.Kind != ""
}

func entryOf(r record.Result) (e entry) {
	e.kind, e.status, e.block, e.cache, e.phase = r.Kind, r.Status, textOf(r.Block), textOf(r.Cache), int64(r.Phase)
	e.cold = slices.Contains(r.Flags, record.ColdStart)
	if r.Tokens != nil {
		e.tokens, e.told = *r.Tokens, true
	}
	if r.CostDeltaUSD != nil {
		e.price(*r.CostDeltaUSD)
	}
	e.wallMS = milliseconds(r.WallS)
	return e
}

// Money and time are added up as whole numbers, so that a sum is the same in whatever order it was made.
const (
	nano       = 1e9
	mostUSD    = 1e6 // what a call can cost; more is no price
	mostMillis = 1e15
)

func (e *entry) price(usd float64) {
	if math.Abs(usd) <= mostUSD {
		e.nanoUSD, e.priced = int64(math.Round(usd*nano)), true
	}
}

func milliseconds(s float64) int64 {
	return int64(math.Round(max(-mostMillis, min(s*1000, mostMillis))))
}

package usage

import (
	"strings"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// sums adds up lines of the ledger, in any order.
type sums struct {
	query    Query
	kinds    map[string]*kindSum
	cold     int
	verdicts int // of the cache, on the kinds where it matters
	hits     int
}

type kindSum struct {
	calls, ok, untold int
	tokens            record.Tokens
	nanoUSD           int64
	unpriced          bool // a call's price is unknown, so the sum is
	wallMS            int64
	cached            bool // the verdict on the cache matters
}

func newSums(q Query) *sums {
	s := &sums{query: q, kinds: map[string]*kindSum{}}
	for _, k := range record.UsageKinds {
		s.kinds[k] = &kindSum{}
	}
	for _, k := range record.HitKinds {
		s.kinds[k].cached = true
	}
	return s
}

// wants says whether the query is about a line.
func (s *sums) wants(e *entry) bool {
	return (s.query.Block == "" || e.block.is && e.block.s == s.query.Block) && (s.query.Phase == nil || e.phase == int64(*s.query.Phase))
}

func (s *sums) add(e *entry) {
	k := s.kinds[e.kind]
	if k == nil {
		k = &kindSum{}
		s.kinds[strings.Clone(e.kind)] = k
	}
	k.calls++
	k.wallMS += e.wallMS
	if e.status == record.OK {
		k.ok++
	}
	if !e.told {
		k.untold++
	}
	k.tokens = plus(k.tokens, e.tokens)
	k.nanoUSD += e.nanoUSD
	k.unpriced = k.unpriced || !e.priced
	if e.cold {
		s.cold++
	}
	if e.cache.is && k.cached {
		s.verdicts++
		if e.cache.s == "hit" {
			s.hits++
		}
	}
}

// join adds what another one has added up.
func (s *sums) join(o *sums) {
	s.cold, s.verdicts, s.hits = s.cold+o.cold, s.verdicts+o.verdicts, s.hits+o.hits
	for name, b := range o.kinds {
		a := s.kinds[name]
		if a == nil {
			a = &kindSum{}
			s.kinds[name] = a
		}
		a.calls, a.ok, a.untold, a.wallMS = a.calls+b.calls, a.ok+b.ok, a.untold+b.untold, a.wallMS+b.wallMS
		a.tokens, a.nanoUSD, a.unpriced = plus(a.tokens, b.tokens), a.nanoUSD+b.nanoUSD, a.unpriced || b.unpriced
	}
}

func (s *sums) report() Report {
	r := Report{Block: record.Or(s.query.Block), Phase: s.query.Phase, Kinds: map[string]Kind{}, ColdStarts: s.cold, BadLines: []int{}}
	if s.verdicts > 0 {
		ratio := float64(s.hits) / float64(s.verdicts)
		r.HitRatio = &ratio
	}
	total := kindSum{}
	for name, k := range s.kinds {
		r.Kinds[name] = Kind{Calls: k.calls, OK: k.ok, Tokens: k.tokens, Unknown: k.untold, CostUSD: k.usd(), WallS: float64(k.wallMS) / 1000}
		total.nanoUSD, total.unpriced = total.nanoUSD+k.nanoUSD, total.unpriced || k.unpriced
	}
	r.TotalUSD = total.usd()
	return r
}

func (k *kindSum) usd() *float64 {
	if k.unpriced {
		return nil
	}
	usd := float64(k.nanoUSD) / nano
	return &usd
}

func plus(a, b record.Tokens) record.Tokens {
	return record.Tokens{
		Input: a.Input + b.Input, Output: a.Output + b.Output, CacheCreation: a.CacheCreation + b.CacheCreation,
		CacheCreation1h: a.CacheCreation1h + b.CacheCreation1h, CacheCreation5m: a.CacheCreation5m + b.CacheCreation5m,
		CacheRead: a.CacheRead + b.CacheRead,
	}
}

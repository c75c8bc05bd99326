// Package usage adds up a run's ledger: per kind for a phase, per call for a block; as JSON, as the Markdown that goes into a run
// log, and as a page.
//
// What is not known is null, n/a or a dash, never 0: a sum with one unknown price in it is unknown.
package usage

import (
	"math"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// Unknown is how Markdown and HTML show what is not known.
const Unknown = "—"

// Query chooses lines of the ledger.
type Query struct {
	Block string // empty = every one
	Phase *int   // nil = every one
	Sums  bool   // only sums are wanted: the single calls, which tables and pages show, are not kept
}

// Report is what `usage` answers.
type Report struct {
	Block      *string         `json:"block"`
	Phase      *int            `json:"phase"`
	Kinds      map[string]Kind `json:"kinds"` // all five, also those without a call
	ColdStarts int             `json:"cold_starts"`
	HitRatio   *float64        `json:"hit_ratio"` // hits among the spawns, continues and rebases with a verdict; null = none had one
	TotalUSD   *float64        `json:"total_usd"` // null when any price is unknown
	Torn       *string         `json:"torn"`      // a last line that a crash left half written; the next one mends it

	calls []record.Result
}

// Kind sums the calls of one kind.
type Kind struct {
	Calls   int           `json:"calls"`
	OK      int           `json:"ok"`
	Tokens  record.Tokens `json:"tokens"`
	Unknown int           `json:"unknown_tokens"` // calls that told no tokens
	CostUSD *float64      `json:"cost_usd"`       // null when a call's price is unknown
	WallS   float64       `json:"wall_s"`
}

// Builder adds up a ledger, a line at a time.
type Builder struct {
	query    Query
	report   Report
	unpriced map[string]bool
	hits     int
	verdicts int
}

// New begins a report.
func New(q Query) *Builder {
	b := &Builder{query: q, unpriced: map[string]bool{}, report: Report{Block: record.Or(q.Block), Phase: q.Phase, Kinds: map[string]Kind{}}}
	for _, k := range record.UsageKinds {
		zero := 0.0
		b.report.Kinds[k] = Kind{CostUSD: &zero}
	}
	return b
}

// Add takes a line of the ledger.
func (b *Builder) Add(r record.Result) {
	if b.query.Block != "" && (r.Block == nil || *r.Block != b.query.Block) || b.query.Phase != nil && r.Phase != *b.query.Phase {
		return
	}
	k := b.report.Kinds[r.Kind]
	k.Calls++
	k.WallS += r.WallS
	if r.Status == record.OK {
		k.OK++
	}
	if r.Tokens == nil {
		k.Unknown++
	} else {
		k.Tokens = plus(k.Tokens, *r.Tokens)
	}
	switch {
	case r.CostDeltaUSD == nil || b.unpriced[r.Kind]:
		b.unpriced[r.Kind], k.CostUSD = true, nil
	default:
		sum := *r.CostDeltaUSD
		if k.CostUSD != nil {
			sum += *k.CostUSD
		}
		k.CostUSD = &sum
	}
	b.report.Kinds[r.Kind] = k
	b.cache(r)
	if !b.query.Sums {
		b.report.calls = append(b.report.calls, r)
	}
}

func (b *Builder) cache(r record.Result) {
	if slices.Contains(r.Flags, record.ColdStart) {
		b.report.ColdStarts++
	}
	if r.Cache == nil || !slices.Contains(record.HitKinds, r.Kind) {
		return
	}
	b.verdicts++
	if *r.Cache == "hit" {
		b.hits++
	}
}

// Report is the sum. torn is what Lines found at the ledger's end.
func (b *Builder) Report(torn []byte) Report {
	if b.verdicts > 0 {
		ratio := float64(b.hits) / float64(b.verdicts)
		b.report.HitRatio = &ratio
	}
	total := 0.0
	b.report.TotalUSD = &total
	for _, k := range b.report.Kinds {
		if k.CostUSD == nil {
			b.report.TotalUSD = nil
			break
		}
		total += *k.CostUSD
	}
	if b.report.TotalUSD != nil {
		total = math.Round(total*1e9) / 1e9 // sums of floats in the order of a map
	}
	b.report.Torn = record.Or(string(torn))
	return b.report
}

func plus(a, b record.Tokens) record.Tokens {
	return record.Tokens{
		Input: a.Input + b.Input, Output: a.Output + b.Output, CacheCreation: a.CacheCreation + b.CacheCreation,
		CacheCreation1h: a.CacheCreation1h + b.CacheCreation1h, CacheCreation5m: a.CacheCreation5m + b.CacheCreation5m,
		CacheRead: a.CacheRead + b.CacheRead,
	}
}

// Package usage adds up a run's ledger: per kind for a phase, per call for a block; as JSON, as the Markdown that goes into a run
// log, and as a page.
//
// What is not known is null, n/a or a dash, never 0: a sum with one unknown price in it is unknown.
package usage

import (
	"fmt"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// Unknown is how Markdown and HTML show what is not known.
const Unknown = "—"

// Query chooses lines of the ledger.
type Query struct {
	Block string // empty = every one
	Phase *int   // nil = every one
	Sums  bool   // only sums are wanted: the single calls, which tables of a block and pages show, are not kept
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
	Bad        int             `json:"bad"`       // lines that are no record: they are in no sum
	BadLines   []int           `json:"bad_lines"` // where they are, from 1: the first 20 of them

	calls []record.Result
}

// Kind sums the calls of one kind.
type Kind struct {
	Calls   int           `json:"calls"`
	OK      int           `json:"ok"`
	Tokens  record.Tokens `json:"tokens"`
	Unknown int           `json:"unknown_tokens"` // calls that told no tokens
	CostUSD *float64      `json:"cost_usd"`       // to the nano-dollar; null when a call's price is unknown
	WallS   float64       `json:"wall_s"`
}

// Faults says what of the ledger is in no sum, for people; empty = nothing.
func (r Report) Faults() string {
	if r.Bad == 0 {
		return ""
	}
	return fmt.Sprintf("%d lines of the ledger are no record, and in no sum; the first are %v", r.Bad, r.BadLines)
}

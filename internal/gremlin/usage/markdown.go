package usage

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// Heads gives the commit that a job ended at; empty when it made none.
type Heads func(job string) string

// BlockTable is the rows of one block for a run log, one a call.
func (r Report) BlockTable(head Heads) string {
	var b strings.Builder
	b.WriteString("| Block | Owner | Session | Commit | in | out | cache write | cache read | cost Δ |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range r.calls {
		block, session := Unknown, Unknown
		if c.Block != nil {
			block = *c.Block
		}
		if c.Session != nil {
			session = *c.Session
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |%s %s |\n", cell(block), owner(c), cell(session), dash(head(c.Job)), tokenCells(c.Tokens), money(c.CostDeltaUSD))
	}
	return b.String()
}

// PhaseTable is the sums of a phase for a run log, one row a kind, and three lines below.
func (r Report) PhaseTable() string {
	var b strings.Builder
	b.WriteString("| Kind | Calls | in | out | cache write | cache read | cost Δ |\n|---|---|---|---|---|---|---|\n")
	for _, kind := range record.UsageKinds {
		k := r.Kinds[kind]
		tokens := &k.Tokens
		if k.Unknown == k.Calls && k.Calls > 0 {
			tokens = nil
		}
		fmt.Fprintf(&b, "| %s | %d |%s %s |\n", kind, k.Calls, tokenCells(tokens), money(k.CostUSD))
	}
	fmt.Fprintf(&b, "\n- Cold starts: %d\n- Hit ratio: %s\n- Priced total: %s\n", r.ColdStarts, r.hitRatio(), money(r.TotalUSD))
	return b.String()
}

func (r Report) hitRatio() string {
	if r.HitRatio == nil {
		return "n/a (no spawn, continue or rebase call with a verdict)"
	}
	return fmt.Sprintf("%.0f %%", 100**r.HitRatio)
}

func owner(c record.Result) string {
	if len(c.ModelsUsed) == 0 {
		return Unknown
	}
	return cell(strings.Join(c.ModelsUsed, ", "))
}

func tokenCells(t *record.Tokens) string {
	if t == nil {
		return strings.Repeat(" "+Unknown+" |", 4)
	}
	var b strings.Builder
	for _, n := range []int64{t.Input, t.Output, t.CacheCreation, t.CacheRead} {
		b.WriteString(" " + strconv.FormatInt(n, 10) + " |")
	}
	return b.String()
}

func money(usd *float64) string {
	if usd == nil {
		return Unknown
	}
	return fmt.Sprintf("$%.4f", *usd)
}

func dash(s string) string {
	if s == "" {
		return Unknown
	}
	return s
}

// cell keeps a text from ending its cell.
func cell(s string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s) }

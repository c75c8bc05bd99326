//go:build linux

package e2e

import (
	"math"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// prices are those that Claude Code 2.1.332 reckons with, in US dollars for a million tokens.
var prices = map[string]struct{ in, out, read, write, write1h float64 }{
	"claude-opus-5-5": {4, 20, 0.2, 5, 8},
	"claude-opus-4-8": {5, 25, 0.5, 6.25, 10},
}

// billed adds up what the model has billed, as the ledger counts it, and what that costs.
func billed(bills []fakemodel.Bill) (t record.Tokens, cost float64) {
	for _, b := range bills {
		t.Input += int64(b.Input)
		t.Output += int64(b.Output)
		t.CacheRead += int64(b.Read)
		t.CacheCreation += int64(b.Write)
		t.CacheCreation1h += int64(b.Write1h)
		p := prices[b.Model]
		cost += (float64(b.Input)*p.in + float64(b.Output)*p.out + float64(b.Read)*p.read + float64(b.Write-b.Write1h)*p.write + float64(b.Write1h)*p.write1h) / 1e6
	}
	t.CacheCreation5m = t.CacheCreation - t.CacheCreation1h
	return t, cost
}

// checkResult holds one result against what was billed for it.
func (g *gremlins) checkResult(r record.Result, bills []fakemodel.Bill) {
	g.t.Helper()
	g.checkTokens(r, bills)
	g.checkCost(r, bills)
}

func (g *gremlins) checkTokens(r record.Result, bills []fakemodel.Bill) {
	g.t.Helper()
	if tokens, _ := billed(bills); r.Tokens == nil || *r.Tokens != tokens {
		g.t.Errorf("%s (%s) has used %+v; billed was %+v", r.Job, how(r), r.Tokens, bills)
	}
}

func (g *gremlins) checkCost(r record.Result, bills []fakemodel.Bill) {
	g.t.Helper()
	_, cost := billed(bills)
	if r.CostDeltaUSD == nil {
		g.t.Errorf("%s (%s) does not say what it cost; billed was %v", r.Job, how(r), cost)
	} else if math.Abs(*r.CostDeltaUSD-cost) > 1e-9 {
		g.t.Errorf("%s (%s) has cost %v; billed was %v: %+v", r.Job, how(r), *r.CostDeltaUSD, cost, bills)
	}
}

// checkBill holds the ledger's sums against what the model billed, but for what got lost.
func (g *gremlins) checkBill(lost ...fakemodel.Bill) {
	g.t.Helper()
	var u struct {
		Kinds map[string]struct{ Tokens record.Tokens }
	}
	g.ok(&u, "usage")
	var have record.Tokens
	for _, k := range u.Kinds {
		have = plus(have, k.Tokens, 1)
	}
	want, _ := billed(g.cache.Billed())
	away, _ := billed(lost)
	if want = plus(want, away, -1); have != want {
		g.t.Errorf("the ledger has %+v; billed was %+v", have, want)
	}
}

func plus(a, b record.Tokens, sign int64) record.Tokens {
	a.Input += sign * b.Input
	a.Output += sign * b.Output
	a.CacheRead += sign * b.CacheRead
	a.CacheCreation += sign * b.CacheCreation
	a.CacheCreation1h += sign * b.CacheCreation1h
	a.CacheCreation5m += sign * b.CacheCreation5m
	return a
}

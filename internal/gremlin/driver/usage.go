package driver

import (
	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Usage counts tokens. Input does not contain what came from or went to the cache.
type Usage struct {
	Input, Output  int64
	Read           int64    // from the cache
	Write, Write1h int64    // to the cache; the second is the part of the first with the long life
	CostUSD        *float64 // as the harness tells it; nil = it does not
	Told           bool     // the harness told anything at all
}

// Since is what was used beyond an earlier state of the same session.
func (u Usage) Since(earlier Usage) Usage {
	u.Input -= earlier.Input
	u.Output -= earlier.Output
	u.Read -= earlier.Read
	u.Write -= earlier.Write
	u.Write1h -= earlier.Write1h
	if u.CostUSD != nil && earlier.CostUSD != nil {
		delta := *u.CostUSD - *earlier.CostUSD
		u.CostUSD = &delta
	}
	return u
}

// Cost is the price of it in US dollars: as told, else by the list, else unknown (nil), never 0 for unknown.
func (u Usage) Cost(prices map[string]harness.Price, model string) *float64 {
	if u.CostUSD != nil {
		return u.CostUSD
	}
	if u.Told && u.Input+u.Output+u.Read+u.Write == 0 {
		return new(float64) // nothing was used, and that is told
	}
	p, known := prices[model]
	if !known || !u.Told {
		return nil
	}
	const million = 1e6
	write1h := p.Write1h
	if write1h == 0 {
		write1h = p.Write
	}
	cost := (float64(u.Input)*p.In + float64(u.Output)*p.Out + float64(u.Read)*p.Read +
		float64(u.Write-u.Write1h)*p.Write + float64(u.Write1h)*write1h) / million
	return &cost
}

// tally adds up the lines that tell usage.
type tally struct {
	usage *harness.Usage
	sum   Usage
	seen  map[string]bool

	otherwise bool // some of it was told in the other place, which counts more than the single messages do
}

func (t *tally) line(kind string, raw []byte) {
	u := t.usage
	if u == nil || u.On != "*" && u.On != kind || !holds(u.Where, raw) || t.repeated(raw) {
		return
	}
	if !u.Sum {
		t.sum = Usage{}
	}
	line := counts(u, raw)
	if line == (Usage{}) && u.Otherwise != nil {
		line = counts(u.Otherwise, raw)
		t.otherwise = t.otherwise || line != (Usage{})
	}
	t.sum.Told = true
	t.sum.Input += line.Input
	t.sum.Output += line.Output
	t.sum.Read += line.Read
	t.sum.Write += line.Write
	t.sum.Write1h += line.Write1h
	t.cost(raw)
}

// counts is what one line tells.
func counts(u *harness.Usage, raw []byte) Usage {
	n := func(path string) (sum int64) {
		if path == "" {
			return 0
		}
		for _, v := range valuesAt(raw, path) {
			sum += v.Int()
		}
		return sum
	}
	line := Usage{Input: n(u.Input), Output: n(u.Output), Read: n(u.Read), Write: n(u.Write), Write1h: n(u.Write1h)}
	if u.InputIncludesCache {
		line.Input -= line.Read + line.Write
	}
	return line
}

func (t *tally) cost(raw []byte) {
	if t.usage.Cost == "" {
		return
	}
	for _, v := range valuesAt(raw, t.usage.Cost) {
		total := v.Num
		if t.sum.CostUSD != nil {
			total += *t.sum.CostUSD
		}
		t.sum.CostUSD = &total
	}
}

// repeated says whether a row was counted already, where rows have an id.
func (t *tally) repeated(raw []byte) bool {
	if t.usage.Dedupe == "" {
		return false
	}
	id := gjson.GetBytes(raw, t.usage.Dedupe).String()
	if id == "" || t.seen[id] {
		return id != ""
	}
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	t.seen[id] = true
	return false
}

func (t *tally) total() Usage { return t.sum }

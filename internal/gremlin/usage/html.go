package usage

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"sync"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

//go:embed page.html
var pageText string

var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

type (
	tile  struct{ Name, Value string }
	key   struct{ Class, Name string }
	chart struct {
		Title  string
		Legend []key
		Height int
		Bars   []bar
	}
	bar struct {
		Name, Value string
		Y, TextY    int
		EndX        string
		Parts       []part
	}
	part struct{ Class, X, Width, Title string }
)

// Page is the report as one page that needs nothing else: cost and cache, per phase and kind.
func (r Report) Page(title string) ([]byte, error) {
	var b bytes.Buffer
	err := page().Execute(&b, map[string]any{
		"Title": title,
		"Tiles": []tile{
			{"calls", strconv.Itoa(len(r.calls))}, {"priced total", money(r.TotalUSD)}, {"cache hits", r.hitTile()},
			{"cold starts", strconv.Itoa(r.ColdStarts)},
		},
		"Charts": []chart{r.costByPhase(), r.cacheByKind()},
		"Rows":   r.rows(),
	})
	return b.Bytes(), err
}

func (r Report) hitTile() string {
	if r.HitRatio == nil {
		return Unknown
	}
	return r.hitRatio()
}

const (
	left  = 110 // where bars begin
	wide  = 660 // of the longest bar
	pitch = 28  // from one bar to the next
)

// costByPhase has one bar for each phase and kind that was called.
func (r Report) costByPhase() chart {
	c := chart{Title: "Cost per phase and kind, US dollars"}
	type id struct {
		phase int
		kind  string
	}
	var order []id
	sums := map[id]*float64{}
	most := 0.0
	for _, call := range r.calls {
		i := id{call.Phase, call.Kind}
		if _, seen := sums[i]; !seen {
			zero := 0.0
			sums[i] = &zero
			order = append(order, i)
		}
		if call.CostDeltaUSD == nil || sums[i] == nil {
			sums[i] = nil
			continue
		}
		*sums[i] += *call.CostDeltaUSD
		most = max(most, *sums[i])
	}
	slices.SortStableFunc(order, func(a, b id) int { return a.phase - b.phase })
	for _, i := range order {
		value := 0.0
		if sums[i] != nil {
			value = *sums[i]
		}
		c.add(fmt.Sprintf("%d · %s", i.phase, i.kind), money(sums[i]), most, []part{{Class: "cost", Width: width(value, most), Title: money(sums[i])}}, []float64{value})
	}
	return c
}

// cacheByKind shows of what the tokens of each kind were made.
func (r Report) cacheByKind() chart {
	c := chart{Title: "Tokens per kind", Legend: []key{{"read", "cache read"}, {"write", "cache write"}, {"input", "in"}, {"output", "out"}}}
	most := 0.0
	for _, k := range r.Kinds {
		most = max(most, float64(k.Tokens.Input+k.Tokens.Output+k.Tokens.CacheCreation+k.Tokens.CacheRead))
	}
	for _, kind := range record.UsageKinds {
		t := r.Kinds[kind].Tokens
		values := []float64{float64(t.CacheRead), float64(t.CacheCreation), float64(t.Input), float64(t.Output)}
		var parts []part
		for i, v := range values {
			parts = append(parts, part{Class: c.Legend[i].Class, Width: width(v, most), Title: fmt.Sprintf("%s: %.0f", c.Legend[i].Name, v)})
		}
		c.add(kind, fmt.Sprintf("%d", t.CacheRead+t.CacheCreation+t.Input+t.Output), most, parts, values)
	}
	return c
}

// add puts a bar below the others, its parts side by side.
func (c *chart) add(name, value string, most float64, parts []part, values []float64) {
	x := 0.0
	for i := range parts {
		parts[i].X = px(left + scaled(x, most))
		x += values[i]
	}
	y := 4 + pitch*len(c.Bars)
	c.Bars = append(c.Bars, bar{Name: name, Value: value, Y: y, TextY: y + 13, EndX: px(left + scaled(x, most) + 8), Parts: parts})
	c.Height = y + pitch
}

func scaled(v, most float64) float64 {
	if most == 0 {
		return 0
	}
	return wide * v / most
}

func width(v, most float64) string { return px(scaled(v, most)) }

func px(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func (r Report) rows() (rows [][]string) {
	text := func(s *string) string {
		if s == nil {
			return Unknown
		}
		return *s
	}
	for _, c := range r.calls {
		t := []string{Unknown, Unknown, Unknown, Unknown}
		if c.Tokens != nil {
			for i, n := range []int64{c.Tokens.Input, c.Tokens.Output, c.Tokens.CacheCreation, c.Tokens.CacheRead} {
				t[i] = strconv.FormatInt(n, 10)
			}
		}
		rows = append(rows, []string{c.Job, c.Kind, text(c.Block), strconv.Itoa(c.Phase), c.Status, text(c.Cache), t[0], t[1], t[2], t[3], fmt.Sprintf("%.1f", c.WallS), money(c.CostDeltaUSD)})
	}
	return rows
}

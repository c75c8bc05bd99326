package prove

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// parity holds the run with everything unlocked against the one without a gate: the same tools, the same text before the
// model, the same answers.
func (p *proof) parity(stock, open *run) (faults []string) {
	a, b := slices.Sorted(slices.Values(stock.asked[0].Tools)), slices.Sorted(slices.Values(open.asked[0].Tools))
	if !slices.Equal(a, b) {
		faults = append(faults, fmt.Sprintf("parity: without a gate the tools are %s; with everything unlocked they are %s", strings.Join(a, " "), strings.Join(b, " ")))
	}
	if x, y := stock.text(), open.text(); x != y {
		faults = append(faults, "parity: with everything unlocked the model reads something else: "+difference(x, y))
	}
	s, o := p.see(stock), p.see(open)
	for _, id := range p.ids {
		if s[id] != o[id] {
			faults = append(faults, fmt.Sprintf("parity: %s is %s without a gate, and %s with everything unlocked", id, s[id], o[id]))
		}
	}
	return faults
}

// varying is what differs between any two runs.
var varying = lazyre.Pattern{Expr: `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|127\.0\.0\.1:\d+|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?|\b\d\d:\d\d:\d\d\b`}

// text is what the model read at first, without what differs between any two runs.
func (r *run) text() string {
	text := strings.NewReplacer(r.dir, "{dir}", filepath.Base(r.dir), "{dir}").Replace(r.asked[0].Text())
	return varying.Re().ReplaceAllString(text, "...")
}

// difference shows the first place where two texts part.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(0, i-40)
	return fmt.Sprintf("%q, and not %q", shown(cut(b, from)), shown(cut(a, from)))
}

func cut(s string, from int) string { return strings.ToValidUTF8(s[from:min(len(s), from+160)], "") }

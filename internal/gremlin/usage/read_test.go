package usage

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// plainly adds up a ledger as one would write it down first: line by line, with the decoder, in one go.
func plainly(ledger string, q Query) (r Report) {
	r = Report{Block: record.Or(q.Block), Phase: q.Phase, Kinds: map[string]Kind{}, BadLines: []int{}}
	costs, unpriced, wall := map[string]int64{}, map[string]bool{}, map[string]int64{}
	for _, k := range record.UsageKinds {
		costs[k] = 0
	}
	verdicts, hits := 0, 0
	all := strings.Split(ledger, "\n")
	r.Torn = record.Or(all[len(all)-1])
	for n, line := range all[:len(all)-1] {
		var c record.Result
		switch err := json.Unmarshal([]byte(line), &c); {
		case line == "":
			continue
		case err != nil || c.Kind == "":
			if r.Bad++; r.Bad <= 20 {
				r.BadLines = append(r.BadLines, n+1)
			}
			continue
		case q.Block != "" && (c.Block == nil || *c.Block != q.Block), q.Phase != nil && *q.Phase != c.Phase:
			continue
		}
		k := r.Kinds[c.Kind]
		k.Calls++
		if c.Status == "ok" {
			k.OK++
		}
		if c.Tokens == nil {
			k.Unknown++
		} else {
			k.Tokens.Input += c.Tokens.Input
			k.Tokens.Output += c.Tokens.Output
			k.Tokens.CacheCreation += c.Tokens.CacheCreation
			k.Tokens.CacheCreation1h += c.Tokens.CacheCreation1h
			k.Tokens.CacheCreation5m += c.Tokens.CacheCreation5m
			k.Tokens.CacheRead += c.Tokens.CacheRead
		}
		if c.CostDeltaUSD == nil || math.Abs(*c.CostDeltaUSD) > 1e6 {
			unpriced[c.Kind] = true
		} else {
			costs[c.Kind] += int64(math.Round(*c.CostDeltaUSD * 1e9))
		}
		wall[c.Kind] += milliseconds(c.WallS)
		r.Kinds[c.Kind] = k
		if slices.Contains(c.Flags, "cold_start") {
			r.ColdStarts++
		}
		if c.Cache != nil && (c.Kind == "spawn" || c.Kind == "continue" || c.Kind == "rebase") {
			if verdicts++; *c.Cache == "hit" {
				hits++
			}
		}
		if !q.Sums {
			r.calls = append(r.calls, c)
		}
	}
	usd := func(n int64) *float64 { f := float64(n) / 1e9; return &f }
	for name := range wall {
		costs[name] += 0
	}
	total := int64(0)
	for name, n := range costs {
		k := r.Kinds[name]
		if k.WallS = float64(wall[name]) / 1000; !unpriced[name] {
			k.CostUSD = usd(n)
		}
		r.Kinds[name] = k
		total += n
	}
	if len(unpriced) == 0 {
		r.TotalUSD = usd(total)
	}
	if verdicts > 0 {
		ratio := float64(hits) / float64(verdicts)
		r.HitRatio = &ratio
	}
	return r
}

// Several readers at once must come to what one comes to who takes line after line, of ledgers that are sound and of such as are not.
func TestALedgerIsReadAsPlainly(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	one := 1
	for i := range 8 {
		var b bytes.Buffer
		for range r.Intn(3000) { // up to some parts
			line, _ := json.Marshal(random(r))
			if i%3 > 0 && r.Intn(50) == 0 {
				line = damage(r, line)
			}
			b.Write(line)
			if i%3 < 2 || r.Intn(500) > 0 { // else two lines grow together
				b.WriteByte('\n')
			}
			if r.Intn(500) == 0 {
				b.WriteByte('\n')
			}
		}
		if i%2 == 0 {
			b.WriteString(`{"job":"j9","ki`)
		}
		path := filepath.Join(t.TempDir(), "ledger.jsonl")
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, q := range []Query{{Sums: true}, {Block: "P|1"}, {Phase: &one, Sums: true}, {Block: "größer", Phase: &one}} {
			got, err := Read(path, q)
			if err != nil {
				t.Fatal(err)
			}
			if want := plainly(b.String(), q); !reflect.DeepEqual(want, got) {
				t.Fatalf("ledger %d, %+v:\n%s", i, q, cmp.Diff(want, got, cmp.AllowUnexported(Report{})))
			}
		}
	}
}

func TestBadLinesAreNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	good := `{"kind":"ping"}` + "\n"
	for name, c := range map[string]struct {
		ledger string
		bad    int
		lines  []int
	}{
		"none":        {good, 0, []int{}},
		"two":         {good + "x\n" + good + "\n{}\n", 2, []int{2, 5}},
		"a great one": {good + strings.Repeat("x", 3<<20) + "\n" + good + "[]\n", 2, []int{2, 4}},
		"many":        {strings.Repeat("x\n", 100_000), 100_000, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}},
	} {
		os.WriteFile(path, []byte(c.ledger), 0o600)
		r, err := Read(path, Query{Sums: true})
		if err != nil || r.Bad != c.bad || !slices.Equal(r.BadLines, c.lines) {
			t.Errorf("%s: %d, %v, %v", name, r.Bad, r.BadLines, err)
		}
		if said := r.Faults(); (said == "") != (c.bad == 0) {
			t.Errorf("%s: %q", name, said)
		}
	}
}

package usage

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// random is a record like those of a run, with here and there whatever a record can hold at all.
func random(r *rand.Rand) record.Result {
	if r.Intn(8) == 0 {
		v, _ := quick.Value(reflect.TypeFor[record.Result](), r)
		return v.Interface().(record.Result)
	}
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	maybe := func(of ...string) *string {
		if r.Intn(4) == 0 {
			return nil
		}
		s := pick(of...)
		return &s
	}
	turns := r.Intn(40)
	w := record.Result{
		Job: "j1", Kind: pick("train", "spawn", "continue", "rebase", "ping", "other"), Method: maybe("fork"), Base: "B1",
		Block: maybe("P|1", "P2", "größer", `a "b" <c>`, ""), Phase: r.Intn(3), Status: pick("ok", "failed", "killed"), Flags: []string{},
		Fingerprint: "f", Session: maybe("s1"), ModelsUsed: strings.Fields(pick("", "m1", "m1 m2")), Cache: maybe("hit", "miss", "partial"),
		WallS: float64(r.Intn(1e6)) / 1000, Turns: &turns, Note: maybe("notes/ü.md"), Raw: "raw/j1.jsonl", ModelRequested: "m1",
	}
	if r.Intn(3) > 0 {
		cost := r.Float64()
		w.CostDeltaUSD = &cost
	}
	if r.Intn(3) > 0 {
		w.Tokens = &record.Tokens{Input: r.Int63n(1e9), Output: r.Int63n(1e9), CacheCreation: r.Int63n(1e9), CacheRead: r.Int63n(1e9)}
	}
	if r.Intn(3) == 0 {
		w.Flags = []string{"needs_attention", pick(record.ColdStart, "stalled")}
	}
	return w
}

// damage does to a line what disks, editors and other programs do. Some of it leaves a record.
func damage(r *rand.Rand, line []byte) []byte {
	at := r.Intn(len(line))
	switch r.Intn(9) {
	case 0:
		return line[:at]
	case 1:
		return append(bytes.Clone(line[:at]), line[at+1:]...)
	case 2:
		line = bytes.Clone(line)
		line[at] = byte(r.Intn(256))
	case 3:
		return append(bytes.Clone(line), line...)
	case 4:
		return bytes.Replace(line, []byte(`":`), []byte(`": `), 3)
	case 5: // the same record with its keys in another order
		var m map[string]any
		json.Unmarshal(line, &m)
		line, _ = json.Marshal(m)
	case 6:
		return bytes.Replace(line, []byte(`"phase":`), []byte(`"phase":"1","phase":`), 1)
	case 7:
		return bytes.ReplaceAll(line, []byte(`null`), []byte([]string{"0", `"x"`, "[]", "{}", "-", "01", "1e999"}[r.Intn(7)]))
	case 8:
		return append(line, "\r"...)
	}
	return bytes.ReplaceAll(line, []byte("\n"), []byte(" "))
}

// A line must be read as the decoder reads it, whatever stands in it.
func TestALineIsReadAsTheDecoderReadsIt(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	quickly, records := 0, 0
	const lines = 10_000
	for range lines {
		line, err := json.Marshal(random(r))
		if err != nil {
			t.Fatal(err)
		}
		if r.Intn(2) == 0 {
			line = damage(r, line)
		}
		decoded, ok := decode(line)
		got, gotOK := parse(line)
		if ok != gotOK {
			t.Fatalf("%q: a record: %v, decoded: %v", line, gotOK, ok)
		}
		if !ok {
			continue
		}
		records++
		if want := entryOf(decoded); want != got {
			t.Fatalf("%q\n%s", line, cmp.Diff(want, got, cmp.AllowUnexported(entry{}, text{})))
		}
		if _, quick := written(line); quick {
			quickly++
		}
	}
	if records < lines/2 || records > lines*9/10 || quickly < records/2 {
		t.Errorf("of %d lines %d were records and %d of these read quickly: that tests nothing", lines, records, quickly)
	}
}

// A record with another key must not make all of a ledger slow: whoever adds one finds this, and adds it to written.
func TestWhatIsWrittenIsReadQuickly(t *testing.T) {
	one, name, cost := 1, "x", 0.25
	for what, r := range map[string]record.Result{
		"all there": {Kind: "spawn", Method: &name, Block: &name, Flags: []string{name, name}, Session: &name, ModelsUsed: []string{name}, Tokens: &record.Tokens{Input: 1},
			CostDeltaUSD: &cost, Cache: &name, WallS: 1.5, Turns: &one, Denials: &one, Note: &name, Paths: []string{name}, Reason: &name},
		"nothing there": {Kind: "spawn"},
	} {
		line, _ := json.Marshal(r)
		if _, ok := written(line); !ok {
			t.Errorf("%s: %s", what, line)
		}
		if n := testing.AllocsPerRun(10, func() { written(line) }); n > 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

func TestWhatIsNoRecord(t *testing.T) {
	for _, line := range []string{"", "no", "[]", `"kind"`, `{"kind":`, `{"job":"j1"}`, "null", `{"kind":"spawn","phase":"one"}`} {
		if r, ok := parse([]byte(line)); ok {
			t.Errorf("%s: %+v", line, r)
		}
	}
	for _, line := range []string{`{"kind":"spawn"}`, ` {"cost_delta_usd":1, "kind":"spawn"}`} {
		if r, ok := parse([]byte(line)); !ok || r.kind != "spawn" {
			t.Errorf("%s: %+v", line, r)
		}
	}
}

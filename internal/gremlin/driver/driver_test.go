package driver

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

func TestArgv(t *testing.T) {
	call := harness.Call{Argv: []harness.Arg{
		{Value: "exec"}, {Flag: "--model", Value: "{model}"}, {Flag: "--effort", Value: "{effort}", When: "effort"}, {Flag: "--fork"},
		{Flag: "--agent", Value: "{agent}"}, {Flag: "-c", Value: `mode="{sandbox}{effort}"`}, {Value: "{base}"}, {Value: "-"},
		{Flag: "--keep", Value: "x", When: "model"},
	}}
	for name, c := range map[string]struct {
		facts map[string]string
		by    harness.PromptBy
		want  string
	}{
		"all":              {map[string]string{"model": "m", "effort": "high", "agent": "a", "sandbox": "s", "base": "b"}, harness.ByStdin, `exec|--model|m|--effort|high|--fork|--agent|a|-c|mode="shigh"|b|-|--keep|x`},
		"nothing":          {nil, harness.ByStdin, `exec|--fork|-c|mode=""|-`},
		"prompt last":      {map[string]string{"base": "b"}, harness.ByArgument, `exec|--fork|-c|mode=""|b|-|do {model} it`},
		"values are words": {map[string]string{"model": "{base}", "base": "b c"}, harness.ByFile, `exec|--model|{base}|--fork|-c|mode=""|b c|-|--keep|x`},
	} {
		call.Prompt = c.by
		if got := strings.Join(Argv(call, c.facts, "do {model} it"), "|"); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

func TestEnviron(t *testing.T) {
	got := Environ([]string{"A=1", "AB=2", "B_X=3", "B=4", "PIN=old", "EMPTY="}, []string{"A", "B_*", "PIN"}, map[string]string{"PIN": "new", "MORE": "5"})
	if want := []string{"AB=2", "B=4", "EMPTY=", "MORE=5", "PIN=new"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func read(d *harness.Driver, lines ...string) *Stream {
	s := NewStream(d)
	for _, l := range lines {
		s.Line([]byte(l))
	}
	return s
}

func TestFolds(t *testing.T) {
	pick := func(f harness.Fold) harness.Pick {
		return harness.Pick{On: "a", Where: []harness.Predicate{{Key: "sub", Absent: true}}, Path: "v", Fold: f}
	}
	s := read(&harness.Driver{Tag: "type", Stream: map[string]harness.Pick{
		"last": pick(harness.FoldLast), "plain": pick(""), "first": pick(harness.FoldFirst), "sum": pick(harness.FoldSum),
		"count": pick(harness.FoldCount), "set": pick(harness.FoldSet), "any": {On: "*", Path: "type"}, "none": {On: "c", Path: "v"},
	}},
		`{"type":"a","v":1}`, `{"type":"a","v":[2.5,1]}`, `{"type":"b","v":9}`, `{"type":"a","sub":"x","v":9}`, `{"type":"a","sub":null,"v":3}`,
		`{"type":"a","v":null}`, `{"type":"a"}`, `{"type":"a","v":[]}`, `not JSON`, `[1]`, ``, `{"type":"a","v":9`, `  {"type":"b"}  `)
	for name, want := range map[string]string{"last": "3", "plain": "3", "first": "1", "sum": "7.5", "count": "4", "set": "3", "any": "b"} {
		if got, ok := s.Fact(name); got != want || !ok {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	if got := s.Set("set"); !slices.Equal(got, []string{"1", "2.5", "3"}) {
		t.Errorf("set: %q", got)
	}
	for _, name := range []string{"none", "nobody knows"} {
		if got, ok := s.Fact(name); ok {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestUsage(t *testing.T) {
	u := harness.Usage{On: "u", Input: "in", Output: "out", Read: "r", Write: "w", Write1h: "w1", Cost: "cost", Dedupe: "id"}
	lines := []string{
		`{"type":"u","id":"1","in":100,"out":10,"r":40,"w":20,"w1":5,"cost":[0.5,0.25]}`,
		`{"type":"u","id":"1","in":100,"out":10,"r":40,"w":20,"w1":5,"cost":[0.5,0.25]}`,
		`{"type":"u","id":"2","in":3,"out":1,"cost":[0.125]}`,
		`{"type":"x","id":"3","in":999}`,
	}
	for name, c := range map[string]struct {
		change func(*harness.Usage)
		want   Usage
		cost   float64
	}{
		"the last line":        {func(*harness.Usage) {}, Usage{Input: 3, Output: 1, Told: true}, 0.125},
		"all lines":            {func(u *harness.Usage) { u.Sum = true }, Usage{Input: 103, Output: 11, Read: 40, Write: 20, Write1h: 5, Told: true}, 0.875},
		"rows have no id":      {func(u *harness.Usage) { u.Sum, u.Dedupe = true, "" }, Usage{Input: 203, Output: 21, Read: 80, Write: 40, Write1h: 10, Told: true}, 1.625},
		"input includes cache": {func(u *harness.Usage) { u.Sum, u.InputIncludesCache = true, true }, Usage{Input: 43, Output: 11, Read: 40, Write: 20, Write1h: 5, Told: true}, 0.875},
	} {
		u := u
		c.change(&u)
		got := read(&harness.Driver{Tag: "type", Usage: &u}, lines...).Usage()
		if got.CostUSD == nil || math.Abs(*got.CostUSD-c.cost) > 1e-9 {
			t.Errorf("%s: cost %v", name, got.CostUSD)
		}
		if got.CostUSD = nil; got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	u.Sum, u.Dedupe, u.Otherwise = true, "", &harness.Usage{Input: "all.#.in", Output: "all.#.out", Read: "all.#.r", Write: "all.#.w", Write1h: "all.#.w1"}
	all := `"all":[{"in":1,"out":2,"r":3,"w":5,"w1":4},{"in":10,"out":20,"r":30,"w":50,"w1":40}]`
	got := read(&harness.Driver{Tag: "type", Usage: &u}, `{"type":"u","in":0,`+all+`}`, `{"type":"u","in":7,`+all+`}`).Usage()
	if got != (Usage{Input: 18, Output: 22, Read: 33, Write: 55, Write1h: 44, Told: true}) {
		t.Errorf("a line of zeros tells it otherwise: %+v", got)
	}
	if got := read(&harness.Driver{Tag: "type"}, lines...).Usage(); got != (Usage{}) {
		t.Errorf("a harness that tells nothing: %+v", got)
	}
}

func TestCostIsToldListedOrUnknown(t *testing.T) {
	prices := map[string]harness.Price{"m": {In: 2, Out: 10, Read: 0.2, Write: 2.5, Write1h: 4}, "short": {In: 1, Write: 1}}
	u := Usage{Input: 1e6, Output: 1e6, Read: 1e6, Write: 2e6, Write1h: 1e6, Told: true}
	told := 0.0
	for _, c := range []struct {
		u     Usage
		model string
		want  float64 // negative = unknown
	}{
		{u, "m", 2 + 10 + 0.2 + 2.5 + 4}, {u, "short", 1 + 2}, {u, "other", -1}, {Usage{}, "m", -1}, {Usage{Told: true}, "other", 0},
		{Usage{CostUSD: &told, Input: 1e6, Told: true}, "m", 0},
	} {
		got := c.u.Cost(prices, c.model)
		if got == nil != (c.want < 0) || got != nil && math.Abs(*got-c.want) > 1e-9 {
			t.Errorf("%+v %s: %v", c.u, c.model, got)
		}
	}
}

func TestSince(t *testing.T) {
	a, b := 1.5, 2.0
	got := Usage{Input: 20, Output: 10, Read: 5, Write: 4, Write1h: 2, CostUSD: &b, Told: true}.Since(Usage{Input: 10, Output: 5, Read: 1, Write: 1, Write1h: 1, CostUSD: &a})
	if *got.CostUSD != 0.5 || got.Input != 10 || got.Output != 5 || got.Read != 4 || got.Write != 3 || got.Write1h != 1 || b != 2.0 {
		t.Errorf("%+v", got)
	}
}

func TestNoRuleHolds(t *testing.T) {
	s := read(&harness.Driver{Tag: "type", Outcome: []harness.Rule{{When: []harness.Predicate{{Key: "killed_by", Present: true}}, Status: "killed", Reason: "{killed_by}", Flags: []string{"f"}}}})
	if status, reason, _ := s.Judge(nil); status != "failed" || reason != "no_result" {
		t.Error(status, reason)
	}
	if status, reason, flags := s.Judge(map[string]string{"killed_by": "orphaned"}); status != "killed" || reason != "orphaned" || len(flags) != 1 {
		t.Error(status, reason, flags)
	}
}

package warm

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// later is the present d after noon, with a wall clock that was set forward by jump.
func later(d, jump time.Duration) Now { return Now{Wall: noon.Add(d + jump), Up: d, Boot: "b"} }

func TestState(t *testing.T) {
	hour, five := Life{TTL: time.Hour, Margin: 10 * time.Minute}, Life{TTL: 5 * time.Minute, Margin: 10 * time.Minute}
	touched := Touch{Wall: noon, Boot: "b"}
	for name, c := range map[string]struct {
		life  Life
		touch Touch
		now   Now
		want  State
	}{
		"just touched":                       {hour, touched, later(0, 0), Warm},
		"before the margin":                  {hour, touched, later(50*time.Minute-1, 0), Warm},
		"at the margin":                      {hour, touched, later(50*time.Minute, 0), Expiring},
		"the last moment":                    {hour, touched, later(time.Hour-1, 0), Expiring},
		"over":                               {hour, touched, later(time.Hour, 0), Cold},
		"a margin beyond half is half":       {five, touched, later(150*time.Second-1, 0), Warm},
		"and no less":                        {five, touched, later(150*time.Second, 0), Expiring},
		"never touched":                      {hour, Touch{}, later(0, 0), Cold},
		"no cache":                           {Life{}, touched, later(0, 0), Cold},
		"the clock was set forward":          {hour, touched, later(time.Minute, 61*time.Second), Cold},
		"the clock was set back":             {hour, touched, later(5*time.Minute, -61*time.Second), Cold},
		"a little apart is no jump":          {hour, touched, later(time.Minute, 59*time.Second), Warm},
		"another boot: the clock alone":      {hour, touched, Now{Wall: noon.Add(time.Minute), Up: time.Second, Boot: "c"}, Warm},
		"another boot, and the time is over": {hour, touched, Now{Wall: noon.Add(2 * time.Hour), Up: time.Second, Boot: "c"}, Cold},
	} {
		if got := c.life.State(c.touch, c.now); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestTTL(t *testing.T) {
	life := &harness.CacheLife{TTL: []harness.TTL{{When: []harness.Predicate{{Key: "env.KEY", Present: true}}, For: 5 * time.Minute}, {For: time.Hour}}}
	with := func(facts map[string]string) func(string) (string, bool) {
		return func(key string) (string, bool) { v, ok := facts[key]; return v, ok }
	}
	if got := TTL(life, with(map[string]string{"env.KEY": "x"})); got != 5*time.Minute {
		t.Error(got)
	}
	if got := TTL(life, with(nil)); got != time.Hour {
		t.Error(got)
	}
	if got := TTL(nil, with(nil)); got != 0 {
		t.Error(got)
	}
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		bill    Bill
		context int64
		share   float64
		want    Verdict
	}{
		{Bill{}, 1000, 0, None},
		{Bill{Input: 5}, 1000, 0, Miss},
		{Bill{Write: 1000}, 1000, 0, Miss},
		{Bill{Read: 799}, 1000, 0, Partial},
		{Bill{Read: 800}, 1000, 0, Hit},
		{Bill{Read: 500}, 1000, 0.5, Hit},
		{Bill{Read: 5000}, 0, 0, Partial},
	} {
		if got := Judge(c.bill, c.context, c.share); got != c.want {
			t.Errorf("%+v of %d: %q, want %q", c.bill, c.context, got, c.want)
		}
	}
}

func TestDowngrade(t *testing.T) {
	for _, c := range []struct {
		bill Bill
		ttl  time.Duration
		want bool
	}{
		{Bill{Write: 10, Write1h: 10}, time.Hour, false}, {Bill{Write: 10}, time.Hour, true}, {Bill{Write: 10, Write1h: 9}, time.Hour, true},
		{Bill{Write: 10}, 5 * time.Minute, false}, {Bill{Read: 10}, time.Hour, false},
	} {
		if got := Downgraded(c.bill, c.ttl); got != c.want {
			t.Errorf("%+v, %v: %v", c.bill, c.ttl, got)
		}
	}
}

func TestPings(t *testing.T) {
	ready := Candidate{Status: "active", Pings: true, Can: true, State: Expiring, Work: noon, Within: 20 * time.Minute}
	for want, change := range map[string]func(*Candidate){
		"expiring":          func(*Candidate) {},
		"status:superseded": func(c *Candidate) { c.Status = "superseded" },
		"status:training":   func(c *Candidate) { c.Status = "training" },
		"status:retired":    func(c *Candidate) { c.Status = "retired" },
		"pings_off":         func(c *Candidate) { c.Pings = false },
		"no_ping_method":    func(c *Candidate) { c.Can = false },
		"ping_running":      func(c *Candidate) { c.Running = true },
		"warm":              func(c *Candidate) { c.State = Warm },
		"cold":              func(c *Candidate) { c.State = Cold },
		"no_work_left":      func(c *Candidate) { c.Work = noon.Add(-10*time.Minute - 1) },
	} {
		c := ready
		change(&c)
		if d := Decide(c, noon.Add(10*time.Minute)); d.Reason != want || d.Ping != (want == "expiring") {
			t.Errorf("%+v, want %s", d, want)
		}
	}
	for _, c := range []struct {
		before, after State
		pings, want   bool
	}{{Warm, Cold, true, true}, {Expiring, Cold, true, true}, {Cold, Cold, true, false}, {Warm, Expiring, true, false}, {Warm, Cold, false, false}} {
		base := ready
		base.Pings = c.pings
		if got := Missed(c.before, c.after, base, noon); got != c.want {
			t.Errorf("%s to %s: missed %v", c.before, c.after, got)
		}
	}
}

func TestDue(t *testing.T) {
	limits := Limits{DeltaTokens: 1000, GrowthShare: 0.5, ContextShare: 0.6, RebasesInARow: 3}
	for name, c := range map[string]struct {
		launch  Launch
		rebase  bool
		retrain bool
		want    string
	}{
		"nothing":               {Launch{BasePhase: 1, Phase: 1, DeltaTokens: 1000, BaseContext: 100, LastContext: 150, Window: 200, Rebases: 3}, false, false, ""},
		"a later phase":         {Launch{BasePhase: 1, Phase: 2}, true, false, PhaseBoundary},
		"an earlier phase":      {Launch{BasePhase: 2, Phase: 1}, false, false, ""},
		"much to tell":          {Launch{DeltaTokens: 1001}, true, false, DeltaSize},
		"it grew":               {Launch{BaseContext: 100, LastContext: 151}, true, false, ContextGrowth},
		"growth unknown":        {Launch{LastContext: 1e6}, false, false, ""},
		"another model":         {Launch{Drift: []string{"model", "tools"}}, false, true, "fingerprint:model fingerprint:tools"},
		"the window fills":      {Launch{BaseContext: 121, Window: 200}, false, true, WindowShare},
		"the window is unknown": {Launch{BaseContext: 1e9}, false, false, ""},
		"the program is gone":   {Launch{BinaryMissing: true}, false, true, BinaryMissing},
		"many rebases":          {Launch{Rebases: 4}, false, true, ManyRebases},
		"both":                  {Launch{Phase: 1, BinaryMissing: true}, true, true, PhaseBoundary + " " + BinaryMissing},
	} {
		rebase, retrain, reasons := Due(c.launch, limits)
		if rebase != c.rebase || retrain != c.retrain || strings.Join(reasons, " ") != c.want {
			t.Errorf("%s: %v %v %v", name, rebase, retrain, reasons)
		}
	}
	if rebase, retrain, _ := Due(Launch{DeltaTokens: 1e9, BaseContext: 1e9, LastContext: 1e10, Window: 1, Rebases: 99}, Limits{}); rebase || retrain {
		t.Error("thresholds that are not set call")
	}
}

func TestFingerprint(t *testing.T) {
	names := []string{"model", "tools"}
	a := map[string]string{"model": "m", "tools": "x", "else": "1"}
	if Fingerprint(names, a) != Fingerprint([]string{"tools", "model", "model"}, map[string]string{"tools": "x", "model": "m"}) {
		t.Error("order, or a fact that does not count, changed it")
	}
	for _, b := range []map[string]string{{"model": "m"}, {"model": "m", "tools": "y"}, {"model": "mt", "tools": "x"}, {"tools": "m", "model": "x"}} {
		if Fingerprint(names, a) == Fingerprint(names, b) {
			t.Errorf("the same for %v", b)
		}
	}
	if got := Differ(names, a, map[string]string{"model": "n", "else": "2"}); !slices.Equal(got, names) {
		t.Error(got)
	}
}

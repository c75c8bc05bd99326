package matrix

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/harnesses"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// made is a matrix of three harnesses of the tests: one proven in part, one claimed, one that nobody hooks.
func made(t *testing.T, asOf string) Matrix {
	t.Helper()
	m, err := Build(sample(t), sampleProofs, asOf)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var sampleProofs = fstest.MapFS{"proofs/mule.json": {Data: []byte(`{"version": "1.2.3", "date": "2026-02-01", "seen": {"PreToolUse": "its suite", "PreToolUse block": "its suite", "Stop": "its suite"}}`)}}

func sample(t *testing.T) *plan.Plan {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{"mule": mule, "pony": pony, "wild": wild} {
		fsys[name+".yaml"] = &fstest.MapFile{Data: []byte(text)}
	}
	all, err := descriptor.Load(fsys, "harnesses")
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build(all)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	hooks = `
hooks: { files: { shared: .x/hooks.json }, at: [hooks, "{host_event}"], group: "{entry}", entry: { command: "{dispatcher}", args: ["{args}"] }, timeout: { unit: s, default: 30s } }
`
	mule = `
id: mule
name: The | Mule
homepage: https://mule.example
certified: [{ package: mule, version: "1.2.3", date: "2026-01-31", evidence: e2e/mule_test.go }]
capabilities:
  - { until: "1.0", as_of: seed, hooks: none, startup: polling, gupp: polling, stall: 1m, nudge: 30s }
  - { hooks: full, startup: hook_injection, gupp: hook_injection, stall: 2m, nudge: 30s, context_fork: true }
polarity: { exit_1: allow, exit_other: block, missing: allow, timeout: block }
payload: native
events:
  - { host: PreToolUse, event: PreToolUse, answer: { block: deny, ask: deny } }
  - { host: Stop, event: Stop, answer: { block: deny }, partly: "not at <night>" }
answers: { deny: { exit: 2, stderr: "{reason}" } }
limits: { "*": 10m }
notes: [{ date: "2026-01-31", text: "it kicks & bites", source: measured }]
` + hooks
	pony = `
id: pony
name: Pony
payload: native
events: [{ host: Stop, event: Stop, cannot: [block] }]
trust: { do: feed it }
` + hooks
	wild = `
id: wild
name: Wild
capabilities: [{ hooks: full, startup: hook_injection, gupp: hook_injection, stall: 2m, nudge: 30s }]
`
)

// TestCells: what is said of each kind of cell.
func TestCells(t *testing.T) {
	m := made(t, "")
	cell := func(id string, e harness.Event, x harness.Effect) Cell {
		i := slices.IndexFunc(m.Harnesses, func(h Harness) bool { return h.ID == id })
		for _, event := range m.Harnesses[i].Events {
			if event.Event != e {
				continue
			}
			if x == "" {
				return event.Cell
			}
			for _, effect := range event.Effects {
				if effect.Effect == x {
					return effect.Cell
				}
			}
		}
		t.Fatalf("%s has no cell %s %s", id, e, x)
		return Cell{}
	}
	const by = "its suite, 1.2.3, 2026-02-01"
	for _, c := range []struct {
		id     string
		event  harness.Event
		effect harness.Effect
		want   Cell
	}{
		{"mule", harness.PreToolUse, "", Cell{Yes, by, ""}},
		{"mule", harness.PreToolUse, harness.Block, Cell{Yes, by, ""}},
		{"mule", harness.PreToolUse, harness.Ask, Cell{Yes, "", ""}}, // in its descriptor, and in no record
		{"mule", harness.Stop, "", Cell{Partly, by, "not at <night>"}},
		{"mule", harness.Stop, harness.Block, Cell{Partly, "", "not at <night>"}},
		{"mule", harness.SessionEnd, "", Cell{No, "", ""}},
		{"pony", harness.Stop, "", Cell{Yes, "", ""}},
		{"pony", harness.Stop, harness.Block, Cell{No, "", ""}},
		{"pony", harness.PreToolUse, harness.Block, Cell{No, "", ""}},
		{"wild", harness.Stop, "", Cell{Unknown, "", "lorimer does not hook it yet"}},
		{"wild", harness.Stop, harness.Block, Cell{Unknown, "", "lorimer does not hook it yet"}},
	} {
		if got := cell(c.id, c.event, c.effect); got != c.want {
			t.Errorf("%s %s %s is %+v, want %+v", c.id, c.event, c.effect, got, c.want)
		}
	}
}

func TestFormats(t *testing.T) {
	m := made(t, "")
	data, err := m.JSON()
	if err != nil || !json.Valid(data) {
		t.Fatalf("%v: %s", err, data)
	}
	goldentest.Compare(t, "testdata/matrix.json", string(data))
	goldentest.Compare(t, "testdata/matrix.md", m.Markdown())
	goldentest.Compare(t, "testdata/matrix.txt", m.Table(70)+"\n== seed ==\n"+made(t, "seed").Table(0))
	html, err := m.HTML()
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "testdata/matrix.html", string(html))
}

// TestPageNeedsNothingElse: no script, no font, no picture, no sheet from elsewhere; and what descriptors say is text in it.
func TestPageNeedsNothingElse(t *testing.T) {
	html, err := made(t, "").HTML()
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?i)<script|<link|<img|<iframe|@import|url\(|src=`).Find(html); found != nil {
		t.Errorf("it has %s in it", found)
	}
	for _, text := range []string{"not at &lt;night&gt;", "it kicks &amp; bites", "prefers-color-scheme: dark", `<meta name="viewport"`} {
		if !bytes.Contains(html, []byte(text)) {
			t.Errorf("it has no %s in it", text)
		}
	}
}

func TestAsOfALabelThatNobodyHas(t *testing.T) {
	if _, err := Build(sample(t), sampleProofs, "sead"); err == nil || !strings.Contains(err.Error(), "expected one of seed") {
		t.Errorf("error = %v", err)
	}
	if m := made(t, "seed"); len(m.Harnesses) != 1 || m.Harnesses[0].Session.Hooks != "none" || m.Harnesses[0].Proof != nil {
		t.Errorf("as of seed there is %+v", m.Harnesses)
	}
}

// TestRecordsOfProofs: each is of a version that the descriptor was certified on, and of cells that it claims.
func TestRecordsOfProofs(t *testing.T) {
	all, err := descriptor.Load(harnesses.FS, "harnesses")
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build(all)
	if err != nil {
		t.Fatal(err)
	}
	files, err := harnesses.Proofs.ReadDir("proofs")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		id, isRecord := strings.CutSuffix(f.Name(), ".json")
		if !isRecord {
			continue
		}
		i := slices.IndexFunc(p.Harnesses, func(h *plan.Harness) bool { return h.ID.Text == id })
		if i < 0 {
			t.Errorf("%s is of no harness", f.Name())
			continue
		}
		h := p.Harnesses[i]
		r, err := recordOf(harnesses.Proofs, id)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(h.Certified, func(c descriptor.Certified) bool { return c.Version.Text == r.Version }) {
			t.Errorf("%s is of version %q, which %s.yaml is not certified on", f.Name(), r.Version, id)
		}
		for seen := range r.Seen {
			event, effect, _ := strings.Cut(seen, " ")
			b, has := bindingOf(h, harness.Event(event))
			if !has || effect != "" && !b.Has(harness.Effect(effect)) {
				t.Errorf("%s has seen %q, which %s.yaml does not claim", f.Name(), seen, id)
			}
		}
	}
}

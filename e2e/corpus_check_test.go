//go:build linux

package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// agentsNameRows: what an agent's file says of a row that is not there is said of nothing, and a file of an agent that is not run
// is read by nobody.
func agentsNameRows(t *testing.T, rows map[string]bool) {
	t.Helper()
	read, recorded := []string{}, []string{}
	for _, w := range ways(t) {
		if mode := w.agent.Mode.Text; mode == "" || mode != w.host.Prompts && !slices.Contains(w.host.Modes, mode) {
			t.Errorf("%s: there is no mode %s", w.id, w.agent.Mode)
		}
		for _, d := range w.agent.Differs {
			if !rows[d.Key] {
				t.Errorf("corpus/agents/%s.yaml: there is no row %s", w.host.ID, d.Key)
			}
		}
		for _, s := range w.agent.Same {
			if !rows[s.Text] {
				t.Errorf("corpus/agents/%s.yaml: there is no row %s", w.host.ID, s)
			}
		}
		read, recorded = append(read, "corpus/agents/"+w.host.ID+".yaml"), append(recorded, w.goldenFile())
	}
	for pattern, known := range map[string][]string{"corpus/agents/*": read, "corpus/effects/*": recorded} {
		files, err := filepath.Glob(pattern)
		must(t, err)
		for _, f := range files {
			if !slices.Contains(known, f) {
				t.Errorf("%s belongs to no agent that the corpus is run on", f)
			}
		}
	}
}

// TestCorpusDifferences: what the comparison is worth.
func TestCorpusDifferences(t *testing.T) {
	text := func(s string) strictyaml.Str { return strictyaml.Str{Text: s} }
	listing := func(names ...string) *corpusAgent {
		a := &corpusAgent{}
		for _, n := range names {
			a.Differs = append(a.Differs, strictyaml.Entry[strictyaml.Str]{Key: n, Value: text("because")})
		}
		return a
	}
	claude, pi := way{id: "claude", host: rig.Claude, yaml: true, agent: listing()}, way{id: "pi", host: rig.Pi, agent: listing()}
	own, alike := way{id: "pi", host: rig.Pi, agent: listing("x")}, way{id: "pi", host: rig.Pi, agent: listing()}
	alike.agent.Same = []strictyaml.Str{text("x")}
	row := func(asks, differs string) corpusRow {
		r := corpusRow{Name: text("x"), Event: text("PreToolUse"), About: text("a feature")}
		if asks != "" {
			r.Asks = []strictyaml.Str{text(asks)}
		}
		if differs != "" {
			r.Differs = strictyaml.Map[strictyaml.Str]{{Key: differs, Value: text("because")}}
		}
		return r
	}
	ungranted := corpusRow{Name: text("x"), Event: text("PreToolUse"), Call: text("ungranted")}
	ran, blocked, aloud := effect{ran: []string{"x"}}, effect{read: []string{"no"}}, effect{ran: []string{"x"}, aloud: []string{"not carried"}}
	for _, c := range []struct {
		name       string
		way        way
		row        corpusRow
		got        effect
		why, fault string
	}{
		{"the same", pi, row("block", ""), ran, "", ""},
		{"another, without a reason", pi, row("block", ""), blocked, "", "no reason is given"},
		{"another, listed", own, row("", ""), blocked, "because", ""},
		{"another, listed for all through Lorimer", claude, row("", everyAgent), blocked, "because", ""},
		{"another, listed for all but Claude", pi, row("", otherAgents), blocked, "because", ""},
		{"another, listed for others", claude, row("", otherAgents), blocked, "", "no reason is given"},
		{"another, listed for others, and to be the same here", alike, row("", otherAgents), blocked, "", "no reason is given"},
		{"the same, listed for others, and to be the same here", alike, row("", otherAgents), ran, "", ""},
		{"the same, and listed to differ", own, row("", ""), ran, "", "and does not"},
		{"another, as the agent cannot", pi, row("ask", ""), blocked, "no `ask` at PreToolUse", ""},
		{"the same though the agent cannot, aloud", pi, row("allow", ""), aloud, "", ""},
		{"the same though the agent cannot, in silence", pi, row("allow", ""), ran, "", "nothing is said"},
		{"not run", pi, ungranted, effect{}, unreached, ""},
	} {
		why, faults := c.way.compare([]corpusRow{c.row}, map[string]string{"x": ran.seen()}, map[string]effect{"x": c.got})
		if said := strings.Join(faults, ""); why["x"] != c.why || (said == "") != (c.fault == "") || !strings.Contains(said, c.fault) {
			t.Errorf("%s: %q, %q", c.name, why["x"], said)
		}
	}
}

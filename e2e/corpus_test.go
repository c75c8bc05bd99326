//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// corpusRow is a handler, or two beside each other; corpus.yaml says what the keys mean.
type corpusRow struct {
	Name    strictyaml.Str                 `yaml:"name,required"`
	Event   strictyaml.Str                 `yaml:"event,required"`
	About   strictyaml.Str                 `yaml:"about,required"`
	Asks    []strictyaml.Str               `yaml:"asks"`
	Hook    strictyaml.Tree                `yaml:"hook"`
	Alone   bool                           `yaml:"alone"`
	Call    strictyaml.Str                 `yaml:"call" enum:"shell|write|fails|ungranted"`
	Differs strictyaml.Map[strictyaml.Str] `yaml:"differs"`

	scripts map[string]string // of its handlers: path in the project to content
}

// corpus reads the table and the scripts.
func corpus(t *testing.T) []corpusRow {
	t.Helper()
	const file = "corpus/corpus.yaml"
	src, err := os.ReadFile(file)
	must(t, err)
	var table struct {
		Rows []corpusRow `yaml:"rows,required"`
	}
	must(t, strictyaml.Decode(file, src, &table))
	for i := range table.Rows {
		row := &table.Rows[i]
		row.scripts = map[string]string{}
		files, err := filepath.Glob("corpus/handlers/" + row.Name.Text + ".*")
		must(t, err)
		for _, f := range files {
			b, err := os.ReadFile(f)
			must(t, err)
			row.scripts["hooks/"+filepath.Base(f)] = string(b)
		}
	}
	return table.Rows
}

// TestCorpusTable: a row without a script, or a script without a row, would be believed to be tested.
func TestCorpusTable(t *testing.T) {
	rows := corpus(t)
	if len(rows) < 60 {
		t.Errorf("%d rows", len(rows))
	}
	used := map[string]bool{}
	seen := map[string]bool{}
	for _, row := range rows {
		if seen[row.Name.Text] {
			t.Errorf("two rows are called %s", row.Name)
		}
		seen[row.Name.Text] = true
		if len(row.scripts) == 0 && !row.Hook.Set() {
			t.Errorf("%s has no handler", row.Name)
		}
		for path, text := range row.scripts {
			used[filepath.Base(path)] = true
			if !strings.HasPrefix(text, "#!/bin/sh\n") {
				t.Errorf("%s is no script", path)
			}
		}
		if !slices.Contains(harness.Events, harness.Event(row.Event.Text)) {
			t.Errorf("%s: there is no event %s", row.Name, row.Event)
		}
		for _, ask := range row.Asks {
			if !slices.Contains(harness.Effects, harness.Effect(ask.Text)) {
				t.Errorf("%s: there is no effect %s", row.Name, ask)
			}
		}
		for _, d := range row.Differs {
			known := slices.ContainsFunc(table.All, func(h *harness.Harness) bool { return h.ID == d.Key })
			if !known && d.Key != everyAgent && d.Key != otherAgents {
				t.Errorf("%s: there is no agent %s", row.Name, d.Key)
			}
		}
	}
	all, err := os.ReadDir("corpus/handlers")
	must(t, err)
	for _, f := range all {
		if !used[f.Name()] {
			t.Errorf("handlers/%s belongs to no row", f.Name())
		}
	}
}

// TestCorpusDifferences: what the comparison is worth.
func TestCorpusDifferences(t *testing.T) {
	claude, pi := way{id: "claude", host: rig.Claude, yaml: true}, way{id: "pi", host: rig.Pi}
	text := func(s string) strictyaml.Str { return strictyaml.Str{Text: s} }
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
	ran, blocked, aloud := effect{ran: []string{"x"}}, effect{read: []string{"no"}}, effect{ran: []string{"x"}, aloud: []string{"not carried"}}
	for _, c := range []struct {
		name        string
		way         way
		row         corpusRow
		got         effect
		cell, fault string
	}{
		{"the same", pi, row("block", ""), ran, "", ""},
		{"another, without a reason", pi, row("block", ""), blocked, "", "gives no reason"},
		{"another, listed", pi, row("", "pi"), blocked, "because", ""},
		{"another, listed for all through Lorimer", claude, row("", everyAgent), blocked, "because", ""},
		{"another, listed for all but Claude", pi, row("", otherAgents), blocked, "because", ""},
		{"another, listed for others", claude, row("", otherAgents), blocked, "", "gives no reason"},
		{"the same, and listed to differ", pi, row("", "pi"), ran, "", "and does not"},
		{"another, as the agent cannot", pi, row("ask", ""), blocked, "no `ask` at PreToolUse", ""},
		{"the same though the agent cannot, aloud", pi, row("allow", ""), aloud, "", ""},
		{"the same though the agent cannot, in silence", pi, row("allow", ""), ran, "", "nothing is said"},
	} {
		m := matrix{rows: []corpusRow{c.row}, claude: map[string]effect{"x": ran}}
		cells, faults := m.compare(c.way, map[string]effect{"x": c.got})
		if said := strings.Join(faults, ""); cells["x"] != c.cell || (said == "") != (c.fault == "") || !strings.Contains(said, c.fault) {
			t.Errorf("%s: %q, %q", c.name, cells["x"], said)
		}
	}
}

// TestCorpus runs all of it and compares. What is compared is what the model reads, what runs, whether the run goes on and what
// the user is shown; the words that hosts put around it are left out.
func TestCorpus(t *testing.T) {
	need(t)
	rows := corpus(t)
	found := map[string]*effects{}
	whole := t.Run("run", func(t *testing.T) {
		for _, w := range ways() {
			found[w.id] = &effects{all: map[string]effect{}}
			for _, batch := range w.batches(rows) {
				t.Run(w.id+"/"+batch[0].Name.Text, func(t *testing.T) {
					t.Parallel()
					runCorpus(t, w, batch, found[w.id])
				})
			}
		}
	})
	m := matrix{rows: rows, ways: ways()[1:], claude: found["claude"].all}
	for _, w := range ways() {
		for _, row := range rows {
			if _, ok := found[w.id].all[row.Name.Text]; !ok && w.has(row) {
				whole = false // a run failed, or -run asked for a part
			}
		}
	}
	if !whole {
		t.Skip("not all of it was run, so nothing is compared")
	}
	for _, w := range m.ways {
		cells, faults := m.compare(w, found[w.id].all)
		for _, f := range faults {
			t.Error(f)
		}
		m.cells = append(m.cells, cells)
		if len(faults) == 0 {
			proven(t, w.host.ID, "the corpus of docs/protocol.md", m.shown(w, cells))
		}
	}
	m.golden(t, found)
}

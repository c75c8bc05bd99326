//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
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
	for _, h := range rig.Cased {
		if agent(t, h) == nil {
			t.Errorf("%s has no corpus/agents/%s.yaml, so the corpus is not run on it", h.Name, h.ID)
		}
	}
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
			if d.Key != everyAgent && d.Key != otherAgents {
				t.Errorf("%s: %s is nothing that differs; one agent alone has its own file", row.Name, d.Key)
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
	agentsNameRows(t, seen)
}

// TestCorpus runs all of it and compares. What is compared is what the model reads, what runs, whether the run goes on and what
// the user is shown; the words that hosts put around it are left out. -run 'TestCorpus/run/ID/' runs one way alone, and
// compares it with what is recorded of Claude Code.
func TestCorpus(t *testing.T) {
	need(t)
	rows := corpus(t)
	found := map[string]*effects{}
	t.Run("run", func(t *testing.T) {
		for _, w := range ways(t) {
			found[w.id] = &effects{all: map[string]effect{}}
			for _, batch := range w.batches(rows) {
				t.Run(w.id+"/"+batch[0][0].Name.Text, func(t *testing.T) {
					t.Parallel()
					runCorpus(t, w, batch, found[w.id])
				})
			}
		}
	})
	for _, w := range ways(t) {
		if seen := found[w.id]; seen != nil && len(seen.all) > 0 {
			w.hold(t, rows, seen.all)
		}
	}
}

// hold compares the way with Claude Code, and with what was seen of both before. Of a way that was run in part (a run failed, or
// -run asked for that) the part is compared, and nothing is recorded.
func (w way) hold(t *testing.T, rows []corpusRow, got map[string]effect) {
	t.Helper()
	ran := slices.DeleteFunc(slices.Clone(rows), func(row corpusRow) bool { _, ok := got[row.Name.Text]; return !ok && w.has(row) })
	whole := len(ran) == len(rows)
	if w.native {
		if whole {
			w.golden(t, rows, nil, got)
		}
		return
	}
	claude := map[string]string{}
	for name, r := range ways(t)[0].record(t) {
		claude[name] = r.effect
	}
	why, faults := w.compare(ran, claude, got)
	for _, f := range faults {
		t.Error(f)
	}
	switch {
	case !whole:
		t.Logf("%s: only a part was run, so nothing is recorded", w.id)
	case len(faults) == 0:
		w.golden(t, rows, why, got)
		proven(t, w.host.ID, "the corpus of docs/protocol.md", w.shown(rows, why))
	}
}

// TestCorpusDocument comes last, as it reads what TestCorpus may have written: the document says what was seen, and what was seen has the reasons that the tables give today.
func TestCorpusDocument(t *testing.T) {
	d := protocolDoc{rows: corpus(t), ways: ways(t)[1:]}
	for _, w := range d.ways {
		seen := w.record(t)
		d.why = append(d.why, seen)
		for name, r := range seen {
			i := slices.IndexFunc(d.rows, func(row corpusRow) bool { return row.Name.Text == name })
			if i < 0 || r.about != d.rows[i].About.Text || r.why != w.reason(d.rows[i]) {
				t.Errorf("%s: what is said of %s is not what the tables say now; run go test -run 'TestCorpus/run/%s/' -update", w.goldenFile(), name, w.id)
			}
		}
	}
	compareOrCreate(t, "../docs/protocol.md", d.write())
}

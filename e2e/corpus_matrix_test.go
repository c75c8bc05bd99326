//go:build linux

package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Keys of `differs` that stand for several agents.
const (
	everyAgent  = "lorimer"
	otherAgents = "others"
)

// matrix is the corpus, feature by agent.
type matrix struct {
	rows   []corpusRow
	ways   []way
	claude map[string]effect
	cells  []map[string]string // of each way: why a row's effect is another one than Claude's; "" = it is the same
}

// compare holds the effects of one way against Claude's own. Each difference needs a reason, and each reason that is listed a
// difference. What an agent cannot do is reason enough, if it is not done in silence.
func (m *matrix) compare(w way, got map[string]effect) (cells map[string]string, faults []string) {
	cells = map[string]string{}
	fault := func(format string, args ...any) { faults = append(faults, w.id+": "+fmt.Sprintf(format, args...)) }
	for _, row := range m.rows {
		name := row.Name.Text
		if !w.has(row) {
			cells[name] = w.lacks(row)
			continue
		}
		same, listed, lacking := got[name].same(m.claude[name]), w.listed(row), w.lacks(row)
		switch {
		case same && listed != "":
			fault("%s is listed to differ in corpus.yaml (%s), and does not", name, listed)
		case same && lacking != "" && len(got[name].aloud) == 0:
			fault("%s: %s, and nothing is said of it", name, lacking)
		case !same && listed+lacking == "":
			fault("%s (%s) has another effect than in Claude Code, and corpus.yaml gives no reason:\n%swhere Claude Code has\n%s",
				name, row.About, got[name], m.claude[name])
		case !same && listed != "":
			cells[name] = listed
		case !same:
			cells[name] = lacking
		}
	}
	return cells, faults
}

// shown are the events, and their effects, that an agent was seen to have as Claude has them.
func (m *matrix) shown(w way, cells map[string]string) (all []string) {
	for _, row := range m.rows {
		if cells[row.Name.Text] != "" || !w.has(row) {
			continue
		}
		binding, _ := w.row().Binding(harness.Event(row.Event.Text))
		all = append(all, row.Event.Text)
		for _, e := range row.Asks {
			if binding.Has(harness.Effect(e.Text)) {
				all = append(all, row.Event.Text+" "+e.Text)
			}
		}
	}
	return all
}

// listed is the reason that the table gives for the way.
func (w way) listed(row corpusRow) string {
	for _, d := range row.Differs {
		if d.Key == everyAgent || d.Key == w.host.ID || d.Key == otherAgents && w.host != rig.Claude {
			return d.Value.Text
		}
	}
	return ""
}

// lacks says what the row needs and the agent has not, by its descriptor.
func (w way) lacks(row corpusRow) string {
	binding, ok := w.row().Binding(harness.Event(row.Event.Text))
	if !ok {
		return "no " + row.Event.Text
	}
	var missing []string
	for _, e := range row.Asks {
		if !binding.Has(harness.Effect(e.Text)) {
			missing = append(missing, e.Text)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "no `" + strings.Join(missing, "`, `") + "` at " + row.Event.Text
}

// golden holds what was seen: Claude's own effects, and where another way differs its effect; and the document made of it.
func (m *matrix) golden(t *testing.T, found map[string]*effects) {
	if t.Failed() {
		return
	}
	for i, w := range append([]way{{id: "claude"}}, m.ways...) {
		var b strings.Builder
		for _, row := range m.rows {
			name := row.Name.Text
			why := ""
			if i > 0 {
				if why = m.cells[i-1][name]; why == "" {
					continue
				}
				why = "  [" + why + "]\n"
			}
			fmt.Fprintf(&b, "%s (%s)\n%s%s", name, row.About, why, found[w.id].all[name])
		}
		file := "corpus/effects/" + strings.ReplaceAll(w.id, " ", "-") + ".txt"
		compareOrCreate(t, file, b.String())
	}
	compareOrCreate(t, "../docs/protocol.md", m.document())
}

// compareOrCreate is for agents that have just joined: -update makes their file.
func compareOrCreate(t *testing.T, file, text string) {
	if _, err := os.Stat(file); err != nil && !*goldentest.Update {
		t.Errorf("%s is missing: run the test with -update and look at it", file)
		return
	}
	goldentest.Compare(t, file, text)
}

const protocolHead = `# The protocol, tested

Made by a test from %[1]se2e/corpus/corpus.yaml%[1]s: %[2]d hooks, one a feature of Claude Code's protocol or a combination that matters, run by
Claude Code itself and, through Lorimer, by each agent. Compared is what one can see from outside: whether the tool ran and with what
input, what the model read, whether the run went on, what the user was shown. What exactly it was stands in %[1]se2e/corpus/effects/%[1]s.

**=** is the same effect as in Claude Code itself. A number is a difference that stands, and the list below says why.

`

// document is the table for people: a line a row, a column a way, differences by number.
func (m *matrix) document() string {
	var b, head, rule strings.Builder
	fmt.Fprintf(&b, protocolHead, "`", len(m.rows))
	head.WriteString("| event | what the hook does |")
	rule.WriteString("|---|---|")
	for _, w := range m.ways {
		head.WriteString(" " + w.title() + " |")
		rule.WriteString("---|")
	}
	b.WriteString(head.String() + "\n" + rule.String() + "\n")
	var reasons []string
	for _, row := range m.rows {
		fmt.Fprintf(&b, "| %s | %s |", row.Event, strings.ReplaceAll(row.About.Text, "|", "\\|"))
		for i := range m.ways {
			why := m.cells[i][row.Name.Text]
			if why == "" {
				b.WriteString(" = |")
				continue
			}
			n := slices.Index(reasons, why)
			if n < 0 {
				n, reasons = len(reasons), append(reasons, why)
			}
			fmt.Fprintf(&b, " %d |", n+1)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for i, why := range reasons {
		fmt.Fprintf(&b, "%d. %s\n", i+1, why)
	}
	return b.String()
}

func (w way) title() string {
	if w.yaml {
		return w.host.Name + " through Lorimer"
	}
	return w.host.Name
}

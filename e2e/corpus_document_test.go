//go:build linux

package e2e

import (
	"fmt"
	"slices"
	"strings"
)

// protocolDoc is docs/protocol.md, made from the corpus and what was seen of each way.
type protocolDoc struct {
	strings.Builder
	rows    []corpusRow
	ways    []way                 // through Lorimer
	why     []map[string]recorded // of each way
	reasons []string              // in the order of their numbers
}

const protocolHead = `# The protocol, tested

Made by a test from %[1]se2e/corpus/%[1]s: %[2]d hooks, one a feature of Claude Code's protocol or a combination that matters, run by
Claude Code itself and, through Lorimer, by each agent. Compared is what one can see from outside: whether the tool ran and with what
input, what the model read, whether the run went on, what the user was shown. What exactly it was stands in %[1]se2e/corpus/effects/%[1]s.

In the tables are the hooks that have another effect somewhere. **=** is the same effect as in Claude Code itself, **≠** another one, and
**–** what the agent has not got; the number says why, in [the list below](#why).

`

func (d *protocolDoc) write() string {
	fmt.Fprintf(d, protocolHead, "`", len(d.rows))
	d.summary()
	for i, row := range d.rows {
		if i == 0 || row.Event.Text != d.rows[i-1].Event.Text {
			d.event(row.Event.Text)
		}
	}
	d.WriteString("## Why\n\n")
	for i, why := range d.reasons {
		fmt.Fprintf(d, "%d. %s\n", i+1, why)
	}
	return d.String()
}

// summary counts: a line an agent.
func (d *protocolDoc) summary() {
	d.WriteString("| agent | = | ≠ | – |\n|---|--:|--:|--:|\n")
	for i, w := range d.ways {
		n := map[string]int{}
		for _, row := range d.rows {
			n[d.sign(i, row)]++
		}
		fmt.Fprintf(d, "| %s | %d | %d | %d |\n", w.title(), n["="], n["≠"], n["–"])
	}
	d.WriteString("\n")
}

// sign is what became of a row in a way.
func (d *protocolDoc) sign(i int, row corpusRow) string {
	why, w := d.why[i][row.Name.Text].why, d.ways[i]
	switch {
	case why == "":
		return "="
	case w.has(row) && why != w.lacks(row):
		return "≠"
	}
	return "–"
}

// event is the section of an event: a table with a column an agent, and what is the same in all.
func (d *protocolDoc) event(event string) {
	var same []string
	var table strings.Builder
	for _, row := range d.rows {
		if row.Event.Text != event {
			continue
		}
		about := strings.ReplaceAll(row.About.Text, "|", "\\|")
		if cells, differs := d.cells(row); differs {
			fmt.Fprintf(&table, "| %s |%s\n", about, cells)
		} else {
			same = append(same, about)
		}
	}
	fmt.Fprintf(d, "## %s\n\n", event)
	if table.Len() > 0 {
		d.WriteString("| what the hook does |")
		for _, w := range d.ways {
			d.WriteString(" " + w.host.Name + " |")
		}
		d.WriteString("\n|---|" + strings.Repeat("---|", len(d.ways)) + "\n" + table.String() + "\n")
	}
	if len(same) > 0 {
		d.WriteString("As in Claude Code everywhere:\n\n* " + strings.Join(same, "\n* ") + "\n\n")
	}
}

// cells are a row's, and whether they differ from Claude's own anywhere.
func (d *protocolDoc) cells(row corpusRow) (cells string, differs bool) {
	for i := range d.ways {
		sign := d.sign(i, row)
		if sign != "=" {
			differs = true
			sign += fmt.Sprintf(" %d", d.number(d.why[i][row.Name.Text].why))
		}
		cells += " " + sign + " |"
	}
	return cells, differs
}

func (d *protocolDoc) number(why string) int {
	n := slices.Index(d.reasons, why)
	if n < 0 {
		n, d.reasons = len(d.reasons), append(d.reasons, why)
	}
	return n + 1
}

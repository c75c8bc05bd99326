package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/sense"
)

// heads are the matrix's names of its rows.
var heads = map[string]string{
	"hooks": "Session hooks", "context_fork": "Context fork", "session_id_env": "Session ID env var", "startup": "Startup injection",
	"gupp": "GUPP strategy", "stall": "Stall threshold", "nudge": "Nudge interval", "nudge_support": "Nudge support",
}

// column is one runtime of the matrix.
type column struct {
	ID     string            `json:"id"`
	Name   string            `json:"name"`
	Until  string            `json:"until,omitempty"` // versions below this one; absent = the newest, too
	Cells  map[string]string `json:"cells"`           // the matrix's words
	Values values            `json:"values"`          // what the words stand for
}

type values struct {
	Hooks        string   `json:"hooks"`
	ContextFork  bool     `json:"context_fork"`
	SessionEnv   []string `json:"session_id_env"`
	Startup      string   `json:"startup"`
	GUPP         string   `json:"gupp"`
	Stall        float64  `json:"stall"` // seconds
	Nudge        float64  `json:"nudge"` // seconds
	NudgeSupport string   `json:"nudge_support"`
	Restart      bool     `json:"restart"`
}

// Matrix prints what each runtime can: its newest versions, or those that a label stands for. No runtime with such a label is
// an empty matrix, and a warning.
func (c *Command) Matrix(asOf string) error {
	columns := []column{}
	for _, r := range sorted(c.Rows) {
		if x, ok := pick(r, asOf); ok {
			columns = append(columns, columnOf(r, x))
		}
	}
	if len(columns) == 0 {
		c.warn([]string{fmt.Sprintf("no runtime has a row as of %q; there are %s", asOf, joined(labels(c.Rows), "none"))})
	}
	if c.JSON {
		return c.json(map[string]any{"as_of": asOf, "runtimes": columns})
	}
	c.table(columns)
	return nil
}

// sorted are the rows by id, the unknown runtime last.
func sorted(rows []*harness.Runtime) []*harness.Runtime {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b *harness.Runtime) int {
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a.ID, b.ID))
	})
	return rows
}

func last(r *harness.Runtime) int {
	if r.ID == sense.Unknown {
		return 1
	}
	return 0
}

func pick(r *harness.Runtime, asOf string) (harness.Range, bool) {
	if asOf == "" && len(r.Ranges) > 0 {
		return r.Ranges[len(r.Ranges)-1], true
	}
	i := slices.IndexFunc(r.Ranges, func(x harness.Range) bool { return x.AsOf == asOf })
	if i < 0 {
		return harness.Range{}, false
	}
	return r.Ranges[i], true
}

func labels(rows []*harness.Runtime) (all []string) {
	for _, r := range rows {
		for _, x := range r.Ranges {
			if x.AsOf != "" && !slices.Contains(all, x.AsOf) {
				all = append(all, x.AsOf)
			}
		}
	}
	return all
}

func columnOf(r *harness.Runtime, x harness.Range) column {
	out := column{ID: r.ID, Name: r.Name, Until: x.Until, Cells: map[string]string{}, Values: values{
		Hooks: x.Hooks, ContextFork: x.ContextFork, SessionEnv: append([]string{}, x.SessionEnv...), Startup: x.Startup, GUPP: x.GUPP,
		Stall: x.Stall.Seconds(), Nudge: x.Nudge.Seconds(), NudgeSupport: x.NudgeSupport, Restart: x.Restart,
	}}
	if name, ok := label("name", x); ok {
		out.Name = name
	}
	for _, cell := range harness.Cells {
		out.Cells[cell] = cellWord(cell, x)
	}
	return out
}

// table prints Markdown, which is what people paste it into.
func (c *Command) table(columns []column) {
	head, line := "| Capability |", "|---|"
	for _, x := range columns {
		head += " " + escaped(x.Name) + " |"
		line += "---|"
	}
	fmt.Fprintf(c.Stdout, "%s\n%s\n", head, line)
	for _, cell := range harness.Cells {
		words := []string{heads[cell]}
		for _, x := range columns {
			words = append(words, escaped(x.Cells[cell]))
		}
		fmt.Fprintf(c.Stdout, "| %s |\n", strings.Join(words, " | "))
	}
}

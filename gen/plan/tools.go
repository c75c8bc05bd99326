package plan

import (
	"cmp"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Patches returns how the texts of patches are taken apart, of calls in Claude's shape.
func (h *Harness) Patches() (all []harness.Patch) {
	for _, e := range h.Tools.Paths {
		rule, from := e.Value, e.Value.From.Text
		if !rule.Pattern.Set() && rule.Adds == nil {
			continue // the call has a list
		}
		p := harness.Patch{Tool: h.claudesTool(e.Key), Paths: rule.Pattern.Text}
		if a := rule.Adds; a != nil {
			p.As, p.Adds, p.Line = a.As.Text, a.Pattern.Text, a.Line.Text
			from = cmp.Or(a.From.Text, from)
		}
		p.From = h.claudesArgument(e.Key, from)
		all = append(all, p)
	}
	return all
}

// Dirs returns by which arguments tools are told where to work, of calls in Claude's shape.
func (h *Harness) Dirs() (all []harness.Dir) {
	for _, e := range h.Tools.Dirs {
		all = append(all, harness.Dir{Tool: h.claudesTool(e.Key), From: h.claudesArgument(e.Key, e.Value.Text)})
	}
	return all
}

func (h *Harness) claudesTool(tool string) string {
	name, _ := h.Tools.Names.Get(tool)
	return cmp.Or(name.Text, tool)
}

func (h *Harness) claudesArgument(tool, key string) string {
	for _, of := range []string{tool, "*"} {
		table, _ := h.Tools.Args.Get(of)
		if name, ok := table.Get(key); ok {
			return name.Text
		}
	}
	return key
}

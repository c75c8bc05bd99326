package try

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/agree"
)

// text shows the report to a person: what each agent does, then what each handler said. What handlers print may come from
// anybody, so nothing of it steers the terminal.
func (r *Report) text(w io.Writer, width int) {
	fmt.Fprintf(w, "%s\n\n", agree.Plain(r.Title))
	if !r.DryRun {
		r.agents(w, width)
	}
	r.handlers(w, width)
	var notes []string
	for _, a := range r.Agents {
		for _, line := range slices.Concat([]string{a.Error}, a.Loud, a.Notes) {
			if line != "" {
				notes = append(notes, a.Name+": "+line)
			}
		}
	}
	notes = append(notes, r.Notes...)
	if len(notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, n := range notes {
		write(w, width, [][]string{{"note", n}})
	}
}

func (r *Report) agents(w io.Writer, width int) {
	rows := [][]string{{"AGENT", "WHAT IT DOES", "BECAUSE OF", "WHAT IS READ"}}
	for _, a := range r.Agents {
		name, what := a.Name, a.Does
		if a.Itself {
			name += " (by itself)"
		}
		if a.Error != "" {
			what = "cannot be said"
		}
		reads := make([]string, len(a.Reads))
		for i, x := range a.Reads {
			reads[i] = x.label() + x.Text
		}
		rows = append(rows, []string{name, what, strings.Join(a.By, ", "), strings.Join(reads, "\n")})
	}
	write(w, width, rows)
}

func (r Reading) label() string {
	switch r.What {
	case "input":
		return "the tool: "
	case "result":
		return "its model, as the result: "
	}
	return map[string]string{"model": "its model: ", "user": "you: "}[r.Who]
}

// handlers shows each answer once, with the agents in which it is given.
func (r *Report) handlers(w io.Writer, width int) {
	type key struct{ name, says string }
	var order []key
	in := map[key][]string{}
	total := 0 // agents that have the event
	for _, a := range r.Agents {
		if !a.has {
			continue
		}
		total++
		for _, h := range a.Handlers {
			k := key{h.Name, h.says(r.DryRun)}
			if in[k] == nil {
				order = append(order, k)
			}
			in[k] = append(in[k], a.Name)
		}
	}
	if len(order) == 0 {
		fmt.Fprintf(w, "%sno handler is for %s\n", map[bool]string{true: "", false: "\n"}[r.DryRun], r.Event)
		return
	}
	first := map[string]int{} // the handlers stay in the order of the first agent, the answers of one beside each other
	for i, k := range order {
		if _, ok := first[k.name]; !ok {
			first[k.name] = i
		}
	}
	slices.SortStableFunc(order, func(a, b key) int { return first[a.name] - first[b.name] })
	rows := [][]string{{"HANDLER", "IN", "ANSWER"}}
	for _, k := range order {
		who := strings.Join(in[k], ", ")
		if len(in[k]) == total {
			who = "all"
		}
		rows = append(rows, []string{k.name, who, k.says})
	}
	if !r.DryRun {
		fmt.Fprintln(w)
	}
	write(w, width, rows)
}

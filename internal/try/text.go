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
	if !r.DryRun {
		fmt.Fprintln(w)
	}
	said, agents := r.answers()
	if len(said) == 0 {
		fmt.Fprintf(w, "no handler is for %s\n", r.Event)
		return
	}
	rows := [][]string{{"HANDLER", "IN", "ANSWER"}}
	for _, a := range said {
		who := strings.Join(a.in, ", ")
		if len(a.in) == agents {
			who = "all"
		}
		rows = append(rows, []string{a.handler, who, a.says})
	}
	write(w, width, rows)
}

// answer is what a handler says, and in which agents.
type answer struct {
	handler, says string
	in            []string
}

// answers are in the order of the first agent, those of one handler beside each other. agents is how many have the event.
func (r *Report) answers() (said []answer, agents int) {
	first := map[string]int{} // of a handler
	for _, a := range r.Agents {
		if !a.has {
			continue
		}
		agents++
		for _, h := range a.Handlers {
			says := h.says(r.DryRun)
			i := slices.IndexFunc(said, func(x answer) bool { return x.handler == h.Name && x.says == says })
			if i < 0 {
				i = len(said)
				said = append(said, answer{handler: h.Name, says: says})
			}
			said[i].in = append(said[i].in, a.Name)
			if _, known := first[h.Name]; !known {
				first[h.Name] = i
			}
		}
	}
	slices.SortStableFunc(said, func(a, b answer) int { return first[a.handler] - first[b.handler] })
	return said, agents
}

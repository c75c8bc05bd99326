package doctor

import (
	"fmt"
	"io"

	"github.com/lorimer-dev/lorimer/internal/agree"
)

// text shows the findings to a person: what is of the clone as a whole first.
func (r *Report) text(w io.Writer) {
	fmt.Fprintln(w, agree.Plain(r.Root))
	r.part(w, "")
	for _, a := range r.agents {
		fmt.Fprintf(w, "%s\n", a.title)
		r.part(w, a.id)
	}
	fmt.Fprintln(w, r.verdict())
}

func (r *Report) part(w io.Writer, id string) {
	for _, f := range r.of(id) {
		fmt.Fprintf(w, "  %-8s %-10s %s\n", f.Level, f.Check, agree.Plain(f.What))
		if f.Do != "" && f.Level != OK {
			fmt.Fprintf(w, "  %-8s %-10s -> %s\n", "", "", agree.Plain(f.Do))
		}
	}
}

func (r *Report) verdict() string {
	n := 0
	for _, f := range r.Findings {
		if f.Level == Problem {
			n++
		}
	}
	switch n {
	case 0:
		return "no problem was found"
	case 1:
		return "1 problem"
	}
	return fmt.Sprintf("%d problems", n)
}

// of returns the findings of one agent, in the order in which one looks for a fault.
func (r *Report) of(id string) (all []Finding) {
	for _, c := range checks {
		for _, f := range r.Findings {
			if f.Harness == id && f.Check == c {
				all = append(all, f)
			}
		}
	}
	return all
}

package status

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/lorimer-dev/lorimer/internal/agree"
)

func writeJSON(w io.Writer, all []*Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{"clones": all})
}

func (r *Report) text(w, problems io.Writer) {
	if r.Error != "" {
		fmt.Fprintln(problems, agree.Plain(r.Error))
		return
	}
	fmt.Fprintf(w, "%s\n", agree.Plain(r.Root))
	for _, p := range r.Problems {
		fmt.Fprintf(w, "  problem: %s\n", agree.Plain(p))
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, h := range r.Handlers {
		fmt.Fprintln(tab, "  "+agree.Plain(h.Harness+" "+string(h.Event))+"\t"+agree.Plain(h.Handler)+"\t"+h.state()+"\t"+h.proof())
	}
	tab.Flush()
	if len(r.Handlers) == 0 {
		fmt.Fprintln(w, "  no handler runs in any agent")
	}
}

func (h *Handler) state() string {
	s := "in force"
	if !h.InForce {
		s = "NOT IN FORCE: " + agree.Plain(h.Why)
	}
	if h.FailsOpen {
		s += ", FAILS OPEN IF REMOVED"
	}
	return s
}

func (h *Handler) proof() string {
	switch {
	case h.Count == 0 && h.Arrives:
		return fmt.Sprintf("never ran yet, though %s comes", h.Event)
	case h.Count == 0:
		return "never ran yet"
	}
	s := fmt.Sprintf("ran %d times, last %s, %.1f ms (95 %%: %.1f)", h.Count, h.Last.Local().Format(timeForm), h.P50, h.P95)
	if h.Blocked > 0 {
		s += fmt.Sprintf(", blocked %d", h.Blocked)
	}
	if h.Faults > 0 {
		s += fmt.Sprintf(", failed %d", h.Faults)
	}
	if h.Version != "" {
		s += ", in " + agree.Plain(h.Version)
	}
	return s
}

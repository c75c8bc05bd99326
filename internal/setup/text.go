package setup

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/lorimer-dev/lorimer/internal/agree"
)

// maxCommand is how many characters of a command the table shows; the whole of it is shown when it is agreed to.
const maxCommand = 44

// show tells a person what was found and, where nobody has said yes to it already, what would be written.
func (s *survey) show(w io.Writer, agreed bool) {
	fmt.Fprintf(w, "%s\n\n", agree.Plain(s.Root))
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "AGENT\tVERSION\tWHERE")
	for _, a := range s.Agents {
		version, where := a.says()
		fmt.Fprintf(tab, "%s\t%s\t%s\n", a.Name, agree.Plain(version), agree.Plain(where))
	}
	tab.Flush()
	s.table(w)
	if len(s.Notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(w, "note: %s\n", agree.Plain(n))
	}
	if !agreed {
		s.willWrite(w)
	}
	fmt.Fprintln(w)
}

func (s *survey) willWrite(w io.Writer) {
	if len(s.Writes) > 0 {
		fmt.Fprintln(w, "\nto be written:")
	}
	for _, x := range s.Writes {
		fmt.Fprintf(w, "  %s %s\n", x.Action, agree.Plain(x.Path))
	}
}

// table shows what each handler does in each agent.
func (s *survey) table(w io.Writer) {
	if len(s.Handlers) == 0 {
		return
	}
	fmt.Fprintln(w)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tab, "HOOK\tON")
	for _, cell := range s.Handlers[0].In {
		for _, a := range s.Agents {
			if a.ID == cell.Harness {
				fmt.Fprintf(tab, "\t%s", a.Name)
			}
		}
	}
	fmt.Fprintln(tab)
	for _, r := range s.Handlers {
		on := string(r.Event)
		if r.Matcher != "" {
			on += " " + r.Matcher
		}
		fmt.Fprintf(tab, "%s\t%s", agree.Plain(short(r.Command)), agree.Plain(on))
		for _, cell := range r.In {
			fmt.Fprintf(tab, "\t%s", cell.Does)
		}
		fmt.Fprintln(tab)
	}
	tab.Flush()
	for _, line := range s.reasons() {
		fmt.Fprintf(w, "  %s\n", agree.Plain(line))
	}
}

// short cuts a text to what the table has room for.
func short(text string) string {
	if utf8.RuneCountInString(text) <= maxCommand {
		return text
	}
	return string([]rune(text)[:maxCommand-3]) + "..."
}

// showProof says what the probe showed.
func (s *survey) showProof(w io.Writer) {
	if len(s.Proof) > 0 {
		fmt.Fprintln(w, "\na probe was sent through each hook, in the place of your own, none of which was run:")
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range s.Proof {
		word := "proven"
		if !p.Proven {
			word = "NOT PROVEN"
		}
		fmt.Fprintf(tab, "  %s\t%s\t%s\t%s\n", p.Name, p.Event, word, agree.Plain(p.What))
	}
	tab.Flush()
	if s.plan == nil {
		return
	}
	for _, h := range s.plan.Harnesses {
		if h.Itself {
			fmt.Fprintf(w, "  %s runs these hooks by itself: nothing of lorimer's is in between\n", h.Name)
		}
	}
}

// json shows all of it to a program.
func (s *survey) json(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(s)
}

package matrix

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Table is the matrix for a terminal. Columns that do not fit into width characters stand in blocks below each other; 0 = all fit.
func (m Matrix) Table(width int) string {
	var b strings.Builder
	b.WriteString("(yes) is a claim, yes was proven on the real program; part: `lorimer matrix --format json` says when not\n")
	for from := 0; from < len(m.Harnesses); {
		to := m.fits(from, width)
		b.WriteString("\n")
		m.block(&b, from, to)
		from = to
	}
	return b.String()
}

const nameWidth = 34

// fits is the end of the columns from one on that stand side by side.
func (m Matrix) fits(from, width int) int {
	used, to := nameWidth, from
	for to < len(m.Harnesses) && (to == from || width == 0 || used+m.columnWidth(to) <= width) {
		used += m.columnWidth(to)
		to++
	}
	return to
}

func (m Matrix) columnWidth(i int) int {
	w := utf8.RuneCountInString(m.Harnesses[i].ID)
	for _, s := range m.sections() {
		for _, r := range s.Rows {
			w = max(w, utf8.RuneCountInString(r.Cells[i].brief()))
		}
	}
	return w + 2
}

func (m Matrix) block(b *strings.Builder, from, to int) {
	line := func(name string, cell func(i int) string) {
		text := pad(name, nameWidth)
		for i := from; i < to; i++ {
			text += pad(cell(i), m.columnWidth(i))
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	line("", func(i int) string { return m.Harnesses[i].ID })
	for _, s := range m.sections() {
		b.WriteString(strings.ToUpper(s.Title) + "\n")
		for _, r := range s.Rows {
			name := r.Name
			if r.Effect {
				name = "  " + name
			}
			line(name, func(i int) string { return r.Cells[i].brief() })
		}
	}
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// brief is a cell in a few letters.
func (c shownCell) brief() string {
	text := c.Word
	switch c.State {
	case Partly:
		text = "part"
	case Unknown:
		return "?"
	}
	if (c.State == Yes || c.State == Partly) && !c.Proven {
		return "(" + text + ")"
	}
	return text
}

// JSON is the matrix with everything that is known.
func (m Matrix) JSON() ([]byte, error) {
	data, err := json.MarshalIndent(m, "", "  ")
	return append(data, '\n'), err
}

// Markdown is the matrix for a page of documentation: the tables, then what is behind each harness.
func (m Matrix) Markdown() string {
	var b strings.Builder
	b.WriteString("**yes** was seen on the real program; *yes* is a claim. *partly* has its reason below.\n")
	for _, s := range m.sections() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| |", s.Title, s.About)
		for _, h := range m.Harnesses {
			fmt.Fprintf(&b, " %s |", cell(h.Name))
		}
		b.WriteString("\n|---|" + strings.Repeat("---|", len(m.Harnesses)) + "\n")
		for _, r := range s.Rows {
			b.WriteString("| " + r.markdown() + " |")
			for _, c := range r.Cells {
				b.WriteString(" " + c.markdown() + " |")
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("\n## Behind it\n")
	for _, h := range m.Harnesses {
		b.WriteString(h.markdown())
	}
	return b.String()
}

func (r row) markdown() string {
	if r.Effect {
		return "· " + cell(r.Name)
	}
	return cell(r.Name)
}

func (c shownCell) markdown() string {
	switch {
	case c.State == Unknown:
		return "?"
	case c.State == Yes || c.State == Partly:
		if c.Proven {
			return "**" + c.Word + "**"
		}
		return "*" + c.Word + "*"
	case c.Proven:
		return "**" + cell(c.Word) + "**"
	}
	return cell(c.Word)
}

func (h Harness) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n%s", h.Name, h.Joined)
	if h.Proof != nil {
		fmt.Fprintf(&b, "; proven on `%s` %s, %s, by `%s`", h.Proof.Package, h.Proof.Version, h.Proof.Date, h.Proof.Evidence)
	} else {
		b.WriteString("; claimed")
	}
	if h.Homepage != "" {
		fmt.Fprintf(&b, "; <%s>", h.Homepage)
	}
	b.WriteString(".\n")
	var lines []string
	for _, e := range h.Events {
		if e.Cell.State == Partly {
			lines = append(lines, fmt.Sprintf("%s: %s.", e.Event, e.Cell.Why))
		}
	}
	if h.Trust != "" {
		lines = append(lines, h.Trust)
	}
	for _, s := range h.Sources {
		text := s.Date + ": " + s.Text
		if s.From != "" {
			text += " (" + s.From + ")"
		}
		lines = append(lines, text)
	}
	if len(lines) > 0 {
		b.WriteString("\n")
	}
	for _, l := range lines {
		b.WriteString("* " + l + "\n")
	}
	return b.String()
}

// cell keeps a text inside of a table's cell.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

package try

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/lorimer-dev/lorimer/internal/agree"
)

// least is how many columns the last column of a table gets, however narrow the terminal is.
const least = 24

// write prints rows with aligned columns. The last column may have lines of its own, and is wrapped to the width; 0 = it is not.
func write(w io.Writer, width int, rows [][]string) {
	wide := make([]int, len(rows[0])-1)
	for _, row := range rows {
		for i := range wide {
			wide[i] = max(wide[i], utf8.RuneCountInString(agree.Plain(row[i])))
		}
	}
	indent := 0
	for _, n := range wide {
		indent += n + 2
	}
	room := 0
	if width > 0 {
		room = max(width-indent, least)
	}
	for _, row := range rows {
		var b strings.Builder
		for i, n := range wide {
			fmt.Fprintf(&b, "%-*s  ", n, agree.Plain(row[i]))
		}
		for i, line := range wrapped(row[len(wide)], room) {
			if i > 0 {
				b.WriteString("\n" + strings.Repeat(" ", indent))
			}
			b.WriteString(line)
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// wrapped cuts a text into lines of at most so many characters, at blanks where there are any; 0 = only at its own ends of
// lines.
func wrapped(text string, room int) (lines []string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line = agree.Plain(line)
		for room > 0 && utf8.RuneCountInString(line) > room {
			head, rest := cut(line, room)
			lines, line = append(lines, head), rest
		}
		lines = append(lines, line)
	}
	return lines
}

// cut takes at most so many characters off a line that is longer.
func cut(line string, room int) (head, rest string) {
	runes := []rune(line)
	head = string(runes[:room+1])
	if i := strings.LastIndex(head, " "); i > 0 {
		return line[:i], line[i+1:]
	}
	return string(runes[:room]), string(runes[room:])
}

package fleet

import (
	"fmt"
	"io"
	"strings"
)

// fewClones is how many are done before anybody wonders how many are left.
const fewClones = 8

// bar shows a person how many of many clones are done: one line that is drawn anew, below what is said of each.
type bar struct {
	w     io.Writer
	width int // columns of the terminal; 0 = it is none, and nothing is drawn
	total int
	drawn bool // it stands there
}

// clear takes the line away, so that something else can be written.
func (b *bar) clear() {
	if b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
	b.drawn = false
}

// draw shows that n clones are done; when all are, nothing is left to be shown.
func (b *bar) draw(n int) {
	if b.width < 20 || b.total < fewClones || n >= b.total {
		return
	}
	b.drawn = true
	count := fmt.Sprintf(" %d/%d", n, b.total)
	room := min(b.width-len(count)-3, 60)
	full := room * n / b.total
	fmt.Fprintf(b.w, "[%s%s]%s", strings.Repeat("#", full), strings.Repeat(" ", room-full), count)
}

package claudehooks

import (
	"bytes"
	"unicode/utf8"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// places turns byte offsets into lines and columns. It goes on from the offset that it was asked for last: to count from the
// beginning of the file for each of its values takes minutes where that is one line of some megabytes.
type places struct {
	src  []byte
	at   int // the offset of last, which begins a token
	last strictyaml.Pos
}

func newPlaces(src []byte) *places { return &places{src: src, last: strictyaml.Pos{Line: 1, Col: 1}} }

// of is the place of an offset; one behind the end is that of the end.
func (p *places) of(offset int) strictyaml.Pos {
	offset = min(offset, len(p.src))
	if offset < p.at {
		*p = *newPlaces(p.src)
	}
	between := p.src[p.at:offset]
	if newline := bytes.LastIndexByte(between, '\n'); newline >= 0 {
		p.last.Line += bytes.Count(between, []byte("\n"))
		p.last.Col, between = 1, between[newline+1:]
	}
	p.last.Col += utf8.RuneCount(between)
	p.at = offset
	return p.last
}

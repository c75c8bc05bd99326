package fleet

import (
	"strings"
	"testing"
)

func TestBar(t *testing.T) {
	var out strings.Builder
	b := bar{w: &out, width: 30, total: 10}
	b.clear()
	for _, n := range []int{1, 5, 10} {
		b.draw(n)
		b.clear()
	}
	if want := "[##                    ] 1/10\r\x1b[K[###########           ] 5/10\r\x1b[K"; out.String() != want {
		t.Errorf("%q\nwant %q", out.String(), want)
	}
	for name, quiet := range map[string]bar{"no terminal": {width: 0, total: 1000}, "a few": {width: 80, total: 3}} {
		out.Reset()
		quiet.w = &out
		quiet.draw(2)
		quiet.clear()
		if out.Len() > 0 {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

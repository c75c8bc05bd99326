package try

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	rows := [][]string{{"A", "LONG", "LAST"}, {"é", "", "one two three\n four "}, {"ab", "x", strings.Repeat("y", 30) + " \x1b[2Jz"}}
	for width, want := range map[int]string{
		0: `A   LONG  LAST
é         one two three
           four
ab  x     yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy \x1b[2Jz
`,
		20: `A   LONG  LAST
é         one two three
           four
ab  x     yyyyyyyyyyyyyyyyyyyyyyyy
          yyyyyy \x1b[2Jz
`,
	} {
		var b strings.Builder
		write(&b, width, rows)
		if b.String() != want {
			t.Errorf("width %d:\n%s", width, b.String())
		}
	}
	if got := strings.Join(wrapped("aaa bbb ccc dddd", 7), "|"); got != "aaa bbb|ccc|dddd" {
		t.Error(got)
	}
}

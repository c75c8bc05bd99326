package dispatch

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		" a\n\tb\r\n":            "a  b",
		"\x1b[31mred\x1b[0m\x07": "[31mred[0m",
		"a\u0085b\u2028c\x00d":   "a b cd",
		"":                       "",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := oneLine(strings.Repeat("é", maxLine)); len(got) > maxLine+3 || !utf8.ValidString(got) || !strings.HasSuffix(got, "é...") {
		t.Errorf("got %d bytes, %q", len(got), got[len(got)-10:])
	}
}

package terminal

import (
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\n":           "a\tb\n",
		"a\r\nb":           "a\r\nb",
		"a\rb":             `a\u000db`,
		"\x1b[2Jx\x00\x7f": `\u001b[2Jx\u0000\u007f`,
		"\u009b2J":         `\u009b2J`,
		"a\u202eb":         `a\u202eb`,
		"é\xffz":           "é\xffz",
		"\x1b\xffé":        "\\u001b\xffé",
	} {
		var b strings.Builder
		if n, err := (Visible{&b}).Write([]byte(text)); n != len(text) || err != nil || b.String() != want {
			t.Errorf("%q: %q, %d, %v; expected %q", text, b.String(), n, err, want)
		}
	}
}

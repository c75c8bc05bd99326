//go:build linux

package store

import (
	"os"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/platform"
)

func TestTornLinesAreMendedAndSaid(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for name, c := range map[string]struct{ before, torn, after string }{
		"new file":                    {"", "", `{"N":7}` + "\n"},
		"whole":                       {"{}\n", "", "{}\n" + `{"N":7}` + "\n"},
		"torn":                        {"{}\n{\"a\":", `{"a":`, "{}\n" + `{"N":7}` + "\n"},
		"torn first line":             {`{"a"`, `{"a"`, `{"N":7}` + "\n"},
		"torn inside a character":     {"{}\n{\"a\":\"\xc3", "{\"a\":\"\xc3", "{}\n" + `{"N":7}` + "\n"},
		"only the newline is missing": {"{}\n{\"a\":1}", "", "{}\n{\"a\":1}\n" + `{"N":7}` + "\n"},
		"longer than a block":         {"{}\n{\"" + long, `{"` + long, "{}\n" + `{"N":7}` + "\n"},
		"long, the newline missing":   {`"` + long + `"`, "", `"` + long + "\"\n" + `{"N":7}` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := Open(t.TempDir(), platform.Current)
			path := d.File("ledger.jsonl")
			if c.before != "" {
				os.WriteFile(path, []byte(c.before), 0o600)
				if torn, err := Lines(path, func([]byte) error { return nil }); err != nil || c.torn != "" && string(torn) != c.torn {
					t.Errorf("a reader sees %q, %v", torn, err)
				}
			}
			torn, err := d.Append(path, counter{7})
			if err != nil || string(torn) != c.torn {
				t.Errorf("torn %q, %v", torn, err)
			}
			if b, _ := os.ReadFile(path); string(b) != c.after {
				t.Errorf("after: %.100q", b)
			}
		})
	}
}

func TestNoLedgerHasNoLines(t *testing.T) {
	if torn, err := Lines(t.TempDir()+"/none", nil); torn != nil || err != nil {
		t.Errorf("%q, %v", torn, err)
	}
}

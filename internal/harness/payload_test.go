package harness

import (
	"bytes"
	"encoding/json"
	"testing"
)

func encoded(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// Whatever way a text takes, it comes out as encoding/json writes it.
func FuzzQuoted(f *testing.F) {
	for c := range 256 {
		f.Add(string([]byte{'a', byte(c), 'b'}))
	}
	for _, s := range []string{"", `{"a":"\\"}`, "é\u2028 🚫", "\xff", "<b>&</b>", "line\nline\r\n\ttab\b\f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := Quoted(s), encoded(t, s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	})
}

package rawjson

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestParseObject(t *testing.T) {
	o, ok := ParseObject(` {"a": 1e400, "b":{ "c" : [10, "x" ] },"a" :"\ud83d\/" , "k\u0065y":null} `)
	if !ok {
		t.Fatal("not an object")
	}
	for key, want := range map[string]string{"a": `"\ud83d\/"`, "b": `{ "c" : [10, "x" ] }`, "key": "null", "none": ""} {
		if o[key] != want {
			t.Errorf("%s: %s", key, o[key])
		}
	}
	for _, bad := range []string{"", "{", "[]", "null", `"{}"`, "{}{}", "{}x", `{"a":01}`, `{'a':1}`, "{\"a\":\"\n\"}", `{"a":1,}`} {
		if _, ok := ParseObject(bad); ok {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestAt(t *testing.T) {
	o, _ := ParseObject(`{"a":{"b":[{"c":1},[2,3]],"b.c":9,"":{"x":4},"b*":5},"0":6,"s":"text","a.b":7}`)
	for path, want := range map[string]string{
		"a.b.0.c": "1", "a.b.1.1": "3", "a.b.1": "[2,3]", "0": "6", "s": `"text"`,
		"a.b.2": "", "a.b.-1": "", "a.b.x": "", "a.b.0.c.d": "", "s.t": "", "none": "", "none.x": "", "": "",
		"a.b*": "5", "a.*": "", "a.b.#": "", "@this": "", "a.@keys": "", "a|b": "", // nothing of a query language
	} {
		if got := o.At(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if got := At(`{"a":1,"a":2}`, "a"); got != "2" {
		t.Errorf("of two equal names: %s", got)
	}
}

func TestString(t *testing.T) {
	for raw, want := range map[string]string{
		`"a\n\u00e9\/\"\\"`: "a\né/\"\\", `"\ud83d\udeab"`: "🚫", `"\ud800\u0041"`: "\ufffdA", `""`: "", `7`: "", `null`: "", ``: "", `["a"]`: "", `"`: "",
	} {
		if got := String(raw); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}

// Whatever way a text takes, it comes out as encoding/json reads it.
func FuzzString(f *testing.F) {
	for c := range 256 {
		f.Add(string([]byte{'a', byte(c), 'b'}))
	}
	for _, s := range []string{"", `\u00e9`, `a\`, `\ud800`, "é 🚫", "\xff", `a"b`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, inside string) {
		raw, want := `"`+inside+`"`, ""
		if json.Unmarshal([]byte(raw), &want) != nil {
			want = ""
		}
		if got := String(raw); got != want {
			t.Errorf("%q: got %q, want %q", raw, got, want)
		}
	})
}

func TestDepth(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if !Valid(nested(MaxDepth)) || Valid(nested(MaxDepth+1)) {
		t.Error("the bound is elsewhere")
	}
	if Deep(`"`+strings.Repeat("[", MaxDepth*2)+`\"[["`) || Deep(strings.Repeat("[]", MaxDepth*2)) || Deep(strings.Repeat(`{"\"":1}`, MaxDepth*2)) {
		t.Error("text and neighbours were taken for depth")
	}
	Valid(strings.Repeat("[", 64<<20)) // the parser would fall off its stack here
	Valid(strings.Repeat(`{"a":`, 8<<20))
}

// Whatever is valid here is valid there, and gives the same texts.
func FuzzAgainstEncodingJSON(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":"\ud83d","b":[1,{}]}`, `{"a":1e400}`, `{"a":"x","a":"\u00e9"}`, "{\"a\":\"\xff\"}", `{"":""}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want map[string]json.RawMessage
		o, ok := ParseObject(s)
		if valid := json.Unmarshal([]byte(s), &want) == nil && strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), "{"); ok != valid {
			t.Fatalf("%q: valid %v, encoding/json says %v", s, ok, valid)
		}
		for key, raw := range want {
			if !strings.ContainsRune(key, '\ufffd') && o[key] != string(raw) {
				t.Errorf("%q: %q is %s, not %s", s, key, o[key], raw)
			}
		}
	})
}

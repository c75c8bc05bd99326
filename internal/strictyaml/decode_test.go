package strictyaml

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type file struct {
	ID     Str            `yaml:"id,required"`
	Count  Int            `yaml:"count"`
	N      int            `yaml:"n"`
	Share  float64        `yaml:"share"`
	On     bool           `yaml:"on"`
	Off    *bool          `yaml:"off"`
	Wait   Duration       `yaml:"wait"`
	Re     Regexp         `yaml:"re"`
	Word   Str            `yaml:"word" enum:"allow|block"`
	Words  []Str          `yaml:"words" enum:"allow|block"`
	OneOr  Strs           `yaml:"one_or"`
	Names  Map[Str]       `yaml:"names"`
	Nested Map[Map[Str]]  `yaml:"nested"`
	Data   Tree           `yaml:"data"`
	Rows   []row          `yaml:"rows"`
	Box    *box           `yaml:"box"`
	Plain  string         `yaml:"plain"`
	Either Map[[]float64] `yaml:"either"`
}

type row struct {
	Pos     Pos    `yaml:"-"`
	Comment string `yaml:"-"`
	Host    Str    `yaml:"host,required"`
	Tool    *box   `yaml:"tool"`
	X       Str    `yaml:"x"`
	Y       Str    `yaml:"y"`
}

func (row) Noun() string { return "a row" }

func (r *row) Validate(c *Context) {
	if r.X.Set() && r.Y.Set() {
		c.ReportAt(r.Y.Pos, Fault{What: "x and y exclude each other"})
	}
}

type box struct {
	Pos   Pos   `yaml:"-"`
	Width Int   `yaml:"width"`
	Inner []box `yaml:"inner"`
}

func TestFaults(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"unknown key", "id: a\nworrd: x", `f:2:1: unknown key "worrd" in the file; expected one of id, count, n, share, on, off, wait, re, word, words, one_or, names, nested, data, rows, box, plain, either; did you mean "word"?`},
		{"unknown key of a named struct", "id: a\nrows:\n  - host: h\n    hots: 1", `f:4:5: unknown key "hots" in a row; expected one of host, tool, x, y; did you mean "host"?`},
		{"below a named struct", "id: a\nrows:\n  - { host: h, tool: { w: 1 } }", `f:3:24: unknown key "w" in tool of a row; expected one of width, inner`},
		{"below an unnamed list", "id: a\nbox: { inner: [{ widht: 1 }] }", `f:2:18: unknown key "widht" in an entry of box.inner; expected one of width, inner; did you mean "width"?`},
		{"missing key", "count: 1", `f:1:1: the file has no "id", which it needs; add it`},
		{"missing key in a row", "id: a\nrows:\n  - x: 1x", `f:3:5: a row has no "host", which it needs; add it`},
		{"duplicate key", "id: a\nid: b", `f:2:1: the key "id" is here a second time; it was set in line 1; take one of the two out`},
		{"duplicate key of a map", "id: a\nnames: { b: c, b: d }", `f:2:16: the key "b" is here a second time; it was set in line 2; take one of the two out`},
		{"version as a number", "id: 1.10", `f:1:5: "id" is the number 1.10; expected a text; write it in quotes: "1.10"`},
		{"date", "id: 2026-11-30", `f:1:5: "id" is the date 2026-11-30; expected a text; write it in quotes: "2026-11-30"`},
		{"boolean for a text", "id: true", `f:1:5: "id" is the boolean true; expected a text; write it in quotes: "true"`},
		{"Norway", "id: no", `f:1:5: "id" is no, which YAML 1.1 reads as a boolean; expected a text; write it in quotes: "no"`},
		{"Norway in a list", "id: a\none_or: [x, off]", `f:2:13: an entry of "one_or" is off, which YAML 1.1 reads as a boolean; expected a text; write it in quotes: "off"`},
		{"nothing", "id:\ncount: 1", `f:1:4: "id" has no value; expected a text`},
		{"list for a text", "id: [a]", `f:1:5: "id" is a list; expected a text`},
		{"text for a list", "id: a\nrows: x", `f:2:7: "rows" is the text "x"; expected a list; write [x]`},
		{"text for a mapping", "id: a\nbox: x", `f:2:6: "box" is the text "x"; expected a mapping of width, inner`},
		{"text for a map", "id: a\nnames: x", `f:2:8: "names" is the text "x"; expected a mapping`},
		{"old boolean", "id: a\non: yes", `f:2:5: "on" is the text "yes"; expected true or false`},
		{"loud boolean", "id: a\non: TRUE", `f:2:5: "on" is the boolean TRUE; expected true or false`},
		{"octal number", "id: a\ncount: 0x10", `f:2:8: "count" is the number 0x10; expected a whole number`},
		{"fraction", "id: a\ncount: 1.5", `f:2:8: "count" is the number 1.5; expected a whole number`},
		{"infinity", "id: a\nshare: .inf", `f:2:8: "share" is the number .inf; expected a number`},
		{"bare duration", "id: a\nwait: 30", `f:2:7: "wait" is the number 30; expected a duration with its unit, such as 1500ms, 90s, 5m or 1h30m`},
		{"bare quoted duration", "id: a\nwait: '0'", `f:2:7: "wait" is the text "0"; expected a duration with its unit, such as 1500ms, 90s, 5m or 1h30m`},
		{"negative duration", "id: a\nwait: -3s", `f:2:7: "wait" is the text "-3s"; expected a duration with its unit, such as 1500ms, 90s, 5m or 1h30m`},
		{"regexp", "id: a\nre: '(a'", "f:2:5: \"re\" does not compile: missing closing ): `(a`; expected a regular expression in RE2 syntax (no look-around, no back references)"},
		{"word", "id: a\nword: blok", `f:2:7: "word" is "blok"; expected one of allow, block; did you mean "block"?`},
		{"word in a list", "id: a\nwords: [allow, deny]", `f:2:16: an entry of "words" is "deny"; expected one of allow, block`},
		{"tag", "id: !x", `f:1:5: a YAML tag (!x), which swallows what it is written before; expected a value without one; a text that begins with ! needs single quotes`},
		{"tag that the parser forgets", "id: ! x", `f:1:5: a YAML tag (! x), which swallows what it is written before; expected a value without one; a text that begins with ! needs single quotes`},
		{"tag of a mapping", "id: a\nbox: !y { width: 1 }", `f:2:6: a YAML tag (!y { width: 1 }), which swallows what it is written before; expected a value without one; a text that begins with ! needs single quotes`},
		{"tag of a quoted text", "id: !!str 'x'", `f:1:5: a YAML tag (!!str 'x'), which swallows what it is written before; expected a value without one; a text that begins with ! needs single quotes`},
		{"anchor and alias", "id: &a x\nplain: *a", "f:1:5: an anchor or an alias (&a x); expected the text itself; a text that begins with & or * needs single quotes\n" +
			"f:2:8: an anchor or an alias (*a); expected the text itself; a text that begins with & or * needs single quotes"},
		{"merge key", "<<: { id: a }\nid: b", `f:1:1: a merge key (<<); expected the keys themselves`},
		{"key that is a list", "id: a\n? [x]\n: y", `f:2:3: a key that is a list; expected a text`},
		{"key without a name", "id: a\n~: y", `f:2:1: a key without a name; expected a text`},
		{"second document", "id: a\n---\nid: b", `f:2:1: a second document begins here; expected one document a file`},
		{"empty", "", `f: the file is empty; expected a mapping`},
		{"comments alone", "# x\n", `f: the file is empty; expected a mapping`},
		{"a list at the top", "- a", `f:1:1: the file is a list; expected a mapping of id, count, n, share, on, off, wait, re, word, words, one_or, names, nested, data, rows, box, plain, either`},
		{"too big", strings.Repeat("#", maxBytes+1), `f: the file has 1048577 bytes; expected at most 1048576`},
		{"too deep", "id: a\ndata: " + strings.Repeat("[", 40) + strings.Repeat("]", 40), `f:2:38: too many mappings and lists inside one another; expected at most 32 levels`},
		{"NUL", "id: a\n# \x00", `f:2:3: the control character U+0000; take it out`},
		{"not UTF-8", "id: é\xff", `f:1:6: the byte 0xff is not UTF-8; take it out`},
		{"line separator", "id: 'a\u2028'", `f:1:7: the character U+2028 ends a line in YAML, and nobody sees it; take it out`},
		{"right to left", "id: 'a\u202e'", `f:1:7: the character U+202E changes the direction of writing, so that people read another text than programs; take it out`},
		{"lone carriage return", "id: a\rn: 1", `f:1:6: a carriage return that no line feed follows; take it out`},
		{"JSON cannot say it", "id: a\ndata: { a: [0x1, .nan, no, 2026-11-30], b: }", `f:2:13: an entry of "a" is the number 0x1; expected a value that JSON has; write it in quotes: "0x1"` + "\n" +
			`f:2:18: an entry of "a" is the number .nan; expected a value that JSON has; write it in quotes: ".nan"` + "\n" +
			`f:2:24: an entry of "a" is no, which YAML 1.1 reads as a boolean; expected a value that JSON has; write it in quotes: "no"` + "\n" +
			`f:2:28: an entry of "a" is the date 2026-11-30; expected a value that JSON has; write it in quotes: "2026-11-30"` + "\n" +
			`f:2:44: "b" has no value; expected a value that JSON has`},
		{"validator", "id: a\nrows:\n  - { host: h, x: 1x, y: 2y }", `f:3:26: x and y exclude each other`},
		{"validator waits for its values", "id: a\nrows:\n  - { host: h, x: 1, y: 2y }", `f:3:19: "x" is the number 1; expected a text; write it in quotes: "1"`},
		{"deep in a map", "id: a\neither: { p: [1, x] }", `f:2:18: an entry of "p" is the text "x"; expected a number`},
		{"several, in the file's order", "id: 1\nwat: 2\ncount: x\nrows:\n  - hots: y\n", `f:1:5: "id" is the number 1; expected a text; write it in quotes: "1"
f:2:1: unknown key "wat" in the file; expected one of id, count, n, share, on, off, wait, re, word, words, one_or, names, nested, data, rows, box, plain, either; did you mean "wait"?
f:3:8: "count" is the text "x"; expected a whole number
f:5:5: unknown key "hots" in a row; expected one of host, tool, x, y; did you mean "host"?
f:5:5: a row has no "host", which it needs; add it`},
		{"long text is clipped", "id: a\ncount: " + strings.Repeat("x", 100), `f:2:8: "count" is the text "` + strings.Repeat("x", 60) + `..."; expected a whole number`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := Decode("f", []byte(tc.src), new(file))
			if got := fmt.Sprint(err); got != tc.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tc.want)
			}
		})
	}
}

func TestSyntax(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"id: b: c", `f:1:6: not valid YAML: mapping values are not allowed in this context; a text with ": " in it needs quotes`},
		{"id: a\nn: 1\nplain: e.x ? 1 : 2\non: true", `f:3:16: not valid YAML: mapping values are not allowed in this context; a text with ": " in it needs quotes`},
		{"id: @x", "f:1:5: not valid YAML: found character that cannot start any token; a text cannot begin with @, ` or %, and a tab cannot indent; use quotes or blanks"},
		{"id: a\nnames: { a: e.x ? b }\nn: 1", `f:2:8: not valid YAML: did not find expected ',' or '}'; inside {} a text with a comma, brackets, quotes or ? needs single quotes`},
		{"id: a\nnames: { a: b\nn: 1", `f:2:8: not valid YAML: did not find expected ',' or '}'; inside {} a text with a comma, brackets, quotes or ? needs single quotes`},
		{"id: a\nplain: \"x\nn: 1\n", `f:2:8: not valid YAML: found unexpected end of stream; a quote that opens here is not closed`},
		{"id: a\nplain: 'x'\n\n\nnames:\n  - a\n b: c\n", `f:7:2: not valid YAML: did not find expected key; look at the indentation, and for text behind a closing quote or bracket`},
		{"id: a\nplain: \"x\" + y\n", `f:2:12: not valid YAML: did not find expected key; look at the indentation, and for text behind a closing quote or bracket`},
		{"id: *x", `f:1:5: not valid YAML: unknown anchor 'x' referenced; a text that begins with * needs quotes`},
		{"id: a\n---\nb: c: d", `f:3:5: not valid YAML: mapping values are not allowed in this context; a text with ": " in it needs quotes`},
	} {
		err := Decode("f", []byte(tc.src), new(file))
		if got := fmt.Sprint(err); got != tc.want {
			t.Errorf("%q\n got: %s\nwant: %s", tc.src, got, tc.want)
		}
	}
}

func TestValues(t *testing.T) {
	src := "\xef\xbb\xbf" + strings.ReplaceAll(`id: a
count: -12
n: 3
share: 0.8
on: true
off: false
wait: 1h30m
re: ^a+$
word: block
one_or: x
names: { "1": b, z: "no" }
nested:
  p: { q: r }
data: { b: [1, -2.5e3, true, null, "x", ""], a: {} }
rows:
  # detached

  # above
  # it
  - host: é  # behind
    x: w
  - { host: i, tool: { width: 1 } } # behind a flow row
plain: text
`, "\n", "\r\n")
	var got file
	if err := Decode("f", []byte(src), &got); err != nil {
		t.Fatal(err)
	}
	no := false
	at := func(text string, line, col int) Str { return Str{text, Pos{line, col}} }
	want := file{
		ID: at("a", 1, 5), Count: Int{-12, Pos{2, 8}}, N: 3, Share: 0.8, On: true, Off: &no,
		Wait:  Duration{90 * time.Minute, "1h30m", Pos{7, 7}},
		Re:    Regexp{"^a+$", got.Re.Re, Pos{8, 5}},
		Word:  at("block", 9, 7),
		OneOr: Strs{at("x", 10, 9)},
		Names: Map[Str]{{Key: "1", KeyPos: Pos{11, 10}, Value: at("b", 11, 15)}, {Key: "z", KeyPos: Pos{11, 18}, Value: at("no", 11, 21)}},
		Nested: Map[Map[Str]]{{Key: "p", KeyPos: Pos{13, 3}, Value: Map[Str]{
			{Key: "q", KeyPos: Pos{13, 8}, Value: at("r", 13, 11)},
		}}},
		Data: Tree{Kind: Object, Pos: Pos{14, 7}, Object: Map[Tree]{
			{Key: "b", KeyPos: Pos{14, 9}, Value: Tree{Kind: List, Pos: Pos{14, 12}, List: []Tree{
				{Kind: Number, Text: "1", Pos: Pos{14, 13}},
				{Kind: Number, Text: "-2.5e3", Pos: Pos{14, 16}},
				{Kind: Bool, Text: "true", Pos: Pos{14, 24}},
				{Kind: Null, Pos: Pos{14, 30}},
				{Kind: String, Text: "x", Pos: Pos{14, 36}},
				{Kind: String, Text: "", Pos: Pos{14, 41}},
			}}},
			{Key: "a", KeyPos: Pos{14, 46}, Value: Tree{Kind: Object, Pos: Pos{14, 49}, Object: Map[Tree]{}}},
		}},
		Rows: []row{
			{Pos: Pos{20, 5}, Comment: "above\nit\nbehind", Host: at("é", 20, 11), X: at("w", 21, 8)},
			{Pos: Pos{22, 5}, Comment: "behind a flow row", Host: at("i", 22, 13), Tool: &box{Pos: Pos{22, 22}, Width: Int{1, Pos{22, 31}}}},
		},
		Plain: "text",
	}
	same := cmp.Comparer(func(a, b Regexp) bool { return a.Text == b.Text && a.Pos == b.Pos && a.Re != nil })
	if d := cmp.Diff(want, got, same, cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
		t.Error(d)
	}
	if v, ok := got.Names.Get("z"); !ok || v.Text != "no" || got.Names.Keys()[1] != "z" {
		t.Error("Map does not find its keys")
	}
	n := 0
	got.Data.Walk(func(Tree) { n++ })
	if n != 9 {
		t.Errorf("Walk saw %d nodes, not 9", n)
	}
}

// An unclosed bracket at the top of a long file, or in a long line, must not make the search for its place slow.
func TestSyntaxOfALongFile(t *testing.T) {
	for _, tc := range []struct{ src, at string }{
		{"id: [a\n" + strings.Repeat("n: 1\n", 200_000), "f:1: "},
		{"id: a\nplain: [" + strings.Repeat("x, ", 100_000) + "\n", "f:2:1: "},
	} {
		start := time.Now()
		err := Decode("f", []byte(tc.src), new(file))
		if took := time.Since(start); took > 5*time.Second || !strings.HasPrefix(fmt.Sprint(err), tc.at) {
			t.Errorf("%v after %v", err, took)
		}
	}
}

// Of a file that is no text at all, the first few faults are enough.
func TestBinaryFile(t *testing.T) {
	err := Decode("f", []byte(strings.Repeat("\x00\xff", 1000)), new(file))
	if faults := err.(Faults); len(faults) != maxRuneFaults {
		t.Errorf("%d faults", len(faults))
	}
}

func TestFaultsErr(t *testing.T) {
	b := At("b", Pos{1, 2}, "x %d", 1)
	err := Faults{b, At("a", Pos{2, 1}, "y"), At("a", Pos{1, 9}, "y"), At("a", Pos{1, 3}, "y"), b}.Err()
	if got, want := err.Error(), "a:1:3: y\na:1:9: y\na:2:1: y\nb:1:2: x 1"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if (Faults{}).Err() != nil {
		t.Error("no faults are an error")
	}
}

func TestAliasBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("id: a\ndata:\n  a0: &a0 [x]\n")
	for i := 1; i < 20; i++ {
		fmt.Fprintf(&b, "  a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	err := Decode("f", []byte(b.String()), new(file))
	if err == nil || !strings.Contains(err.Error(), "f:3:7: an anchor or an alias") {
		t.Fatal(err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"id: a", "id: !x", "rows:\n- host: a # b\n", "a: [1\nb", "? [a]\n: b", "id: |\n  x\n", "<<: *a", "\xff", "id: &a [*a]", "data: {a: [1, ~, x: y]}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var out file
		err := Decode("f", src, &out)
		if err == nil {
			return
		}
		for _, fault := range err.(Faults) {
			if fault.What == "" || fault.Line < 0 || fault.Line > strings.Count(string(src), "\n")+2 {
				t.Fatalf("%q: %+v", src, fault)
			}
		}
	})
}

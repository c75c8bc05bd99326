package splice

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

// TestGoldens reads testdata/*.txtar: "in" is a user's file, "out" what it is with our two entries in it. Taking them out
// again must give "in" back. In the files ^M stands for a carriage return, [BOM] for a byte order mark, a last line
// [NO NEWLINE] for its absence.
func TestGoldens(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	if len(paths) < 10 {
		t.Fatalf("only %d goldens found", len(paths))
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { golden(t, path) })
	}
}

func golden(t *testing.T, path string) {
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in, want := unescape(ar.Files[0].Data), unescape(ar.Files[1].Data)
	r := put(t, file(in), nil, group("PreToolUse"), group("Stop"))
	if got := string(r.Src); got != want {
		if *goldentest.Update {
			ar.Files[1].Data = []byte(escape(got))
			if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Errorf("got:\n%s\nwant:\n%s", visible(got), visible(want))
	}
	if back := string(put(t, file(string(r.Src)), r.Undo).Src); back != in {
		t.Errorf("taken out again:\n%s\nwant:\n%s", visible(back), visible(in))
	}
}

func unescape(data []byte) string {
	s := strings.NewReplacer("^M\n", "\r\n", "[BOM]", "\xef\xbb\xbf", "[TAB]", "\t").Replace(string(data))
	return strings.Replace(s, "\n[NO NEWLINE]\n", "", 1)
}

func escape(s string) string {
	s = strings.NewReplacer("\r\n", "^M\n", "\xef\xbb\xbf", "[BOM]", "\t", "[TAB]").Replace(s)
	if !strings.HasSuffix(s, "\n") && s != "" {
		s += "\n[NO NEWLINE]\n"
	}
	return s
}

func TestRefused(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"syntax", "{\n  \"a\": 1,,\n}", `settings.json:2:10: not valid JSON: invalid character ',' at start of value; mend`},
		{"truncated", "{\"hooks\": {", `settings.json:1:12: not valid JSON`},
		{"comment alone", "// nothing\n", "settings.json:"},
		{"root is an array", "[]", `settings.json:1:1: the document is an array; expected an object; make it {}`},
		{"root is null", "null", `settings.json:1:1: the document is null; expected an object; make it {}`},
		{"hooks is null", "{\n\t\"hooks\": null\n}", `settings.json:2:11: "hooks" is null; expected an object; make it {} or take the key out`},
		{"hooks is an array", `{"hooks": []}`, `settings.json:1:11: "hooks" is an array; expected an object; make it {} or take the key out`},
		{"event is null", `{"hooks": {"Stop": null}}`, `settings.json:1:20: "Stop" is null; expected an array; make it [] or take the key out`},
		{"event is an object", `{"hooks": {"Stop": {}}}`, `settings.json:1:20: "Stop" is an object; expected an array`},
		{"event is a string", `{"hooks": {"Stop": "ü"}}`, `settings.json:1:20: "Stop" is a string; expected an array`},
		{"double hooks", "{\"hooks\": {},\n \"hooks\": {}}", `settings.json:2:2: the key "hooks" stands twice in one object; expected one; take one of them out`},
		{"double in disguise", `{"hooks": {}, "h\u006foks": {}}`, `settings.json:1:15: the key "hooks" stands twice`},
		{"double event", `{"hooks": {"Stop": [], "Stop": []}}`, `settings.json:1:24: the key "Stop" stands twice`},
		{"columns are characters", `{"ü": 1, "hooks": 7}`, `settings.json:1:19: "hooks" is a number; expected an object`},
		{"UTF-16", "\xff\xfe{\x00}\x00", "settings.json:1:1: not valid JSON"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Put(file(c.in), []Entry{group("Stop")}, nil)
			var e *Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestTooDeepIsRefusedAndDoesNotEndTheProcess(t *testing.T) {
	deep := `{"a": "[[", /* [ */ "b": ` + strings.Repeat("[", 5_000_000)
	if _, err := Put(file(deep), nil, nil); err == nil || !strings.Contains(err.Error(), "nested too deep; expected at most 500") {
		t.Errorf("got %v", err)
	}
	fine := `{"a": ` + strings.Repeat("[", 499) + strings.Repeat("]", 499) + "}"
	if r := put(t, file(fine), nil, group("Stop")); !strings.Contains(string(r.Src), "lorimer-dispatch") {
		t.Error("499 levels were not taken")
	}
}

func TestForeignDuplicateKeysAndNumbersStay(t *testing.T) {
	in := `{"a": 1.0e+2, "a": 12345678901234567890, "é": "\u00e9\ud800", "hooks": {"X": null}}`
	r := put(t, file(in), nil, group("Stop"))
	if !strings.HasPrefix(string(r.Src), in[:len(in)-2]+`, "Stop": [`) {
		t.Errorf("got %s", r.Src)
	}
}

func TestSecondPutChangesNothing(t *testing.T) {
	r := put(t, file("{\n}"), nil, group("Stop"), group("PreToolUse"))
	again := put(t, file(string(r.Src)), r.Undo, group("PreToolUse"), group("Stop"))
	if string(again.Src) != string(r.Src) {
		t.Errorf("got %s", again.Src)
	}
}

func TestReformattedEntryIsLeftAlone(t *testing.T) {
	r := put(t, file("{}"), nil, group("Stop"))
	compact := strings.Join(strings.Fields(string(r.Src)), "")
	if again := put(t, file(compact), r.Undo, group("Stop")); string(again.Src) != compact {
		t.Errorf("got %s", again.Src)
	}
	if back := put(t, file(compact), r.Undo); string(back.Src) != "{}" {
		t.Errorf("taken out: %s", back.Src)
	}
}

func TestEventsComeAndGo(t *testing.T) {
	in := "{\n\t\"model\": \"x\"\n}\n"
	both := put(t, file(in), nil, group("PreToolUse"), group("Stop"))
	one := put(t, file(string(both.Src)), both.Undo, group("Stop"))
	if want := put(t, file(in), nil, group("Stop")); string(one.Src) != string(want.Src) {
		t.Errorf("got:\n%s\nwant:\n%s", one.Src, want.Src)
	}
	if back := put(t, file(string(one.Src)), one.Undo); string(back.Src) != in {
		t.Errorf("taken out:\n%s", back.Src)
	}
}

func TestChangedEntryIsReplacedInPlace(t *testing.T) {
	theirs := `{"hooks":[{"type":"command","command":"theirs"}]}`
	old := string(group("Old").Value)
	in := `{"hooks":{"Stop":[` + old + `,` + theirs + `]}}`
	r := put(t, file(in), nil, group("Stop"))
	if want := strings.Replace(in, `["Old"]`, `["Stop"]`, 1); string(r.Src) != want {
		t.Errorf("got  %s\nwant %s", r.Src, want)
	}
}

func TestSurplusEntriesGo(t *testing.T) {
	ours := string(group("Stop").Value)
	in := `{"hooks":{"Stop":[` + ours + `,"a",` + ours + `,"b",` + ours + `]}}`
	r := put(t, file(in), nil, group("Stop"))
	if want := `{"hooks":{"Stop":[` + ours + `,"a","b"]}}`; string(r.Src) != want {
		t.Errorf("got  %s\nwant %s", r.Src, want)
	}
}

func TestEditedEntry(t *testing.T) {
	r := put(t, file("{}\n"), nil, group("Stop"))
	for name, change := range map[string][2]string{
		"a handler beside ours": {`"hooks": [` + "\n          {", `"hooks": [{"command":"precious"},{`},
		"another timeout":       {"600", "60"},
		"a comment":             {`"timeout"`, "/* why */ \"timeout\""},
	} {
		t.Run(name, func(t *testing.T) {
			src := strings.Replace(string(r.Src), change[0], change[1], 1)
			if src == string(r.Src) {
				t.Fatal("the test's own edit does not fit")
			}
			f := file(src)
			_, err := Put(f, nil, r.Undo)
			var edited *EditedError
			if !errors.As(err, &edited) || !strings.HasPrefix(err.Error(), "settings.json:4:7: this entry is lorimer's and was changed") {
				t.Errorf("got %v", err)
			}
			f.Force = true
			if forced := put(t, f, r.Undo); string(forced.Src) != "{}\n" || !forced.Forced {
				t.Errorf("forced: %t\n%s", forced.Forced, forced.Src)
			}
		})
	}
}

func TestWithoutRecordOnlyContainersRemain(t *testing.T) {
	r := put(t, file("{}\n"), nil, group("Stop"))
	back := put(t, file(string(r.Src)), nil)
	if !Equal(back.Src, []byte(`{"hooks":{"Stop":[]}}`)) {
		t.Errorf("got %s", back.Src)
	}
}

func TestCommentsOfOthersInOurContainersStay(t *testing.T) {
	r := put(t, file("{}"), nil, group("Stop"))
	ours := string(group("Stop").Value)
	for in, want := range map[string]string{
		`{"hooks": /* a */ {"Stop": [` + ours + `]}}`:          `{"hooks": /* a */ {}}`,
		`{"hooks" /* a */: {"Stop": [` + ours + `]}}`:          `{"hooks" /* a */: {}}`,
		`{"hooks": {/* a */ "Stop": [` + ours + `]}}`:          `{"hooks": {/* a */}}`,
		`{"hooks": {"Stop": [` + ours + ` /* a */]}}`:          `{"hooks": {"Stop": [ /* a */]}}`,
		`{"hooks": {"Stop": [` + ours + ` /* a */, 1]}}`:       `{"hooks": {"Stop": [/* a */ 1]}}`,
		`{"hooks": {"Stop": [1, // a` + "\n" + ours + `, 2]}}`: `{"hooks": {"Stop": [1, // a` + "\n" + ` 2]}}`,
		`{"hooks": {"Stop": [` + ours + `, /* a */]}}`:         `{"hooks": {"Stop": [ /* a */]}}`,
		"// a\n" + `{"hooks": {"Stop": [` + ours + `]}}`:       "// a\n{}",
	} {
		if got := string(put(t, file(in), r.Undo).Src); got != want {
			t.Errorf("in   %s\ngot  %s\nwant %s", in, got, want)
		}
	}
}

func TestUndoHoldsWhatIsNeededAndNoMore(t *testing.T) {
	r := put(t, file("{}"), nil, group("PreToolUse"), group("Stop"))
	if n := len(r.Undo); n != 4 { // the document, hooks, and two events
		t.Errorf("two events: %+v", r.Undo)
	}
	r = put(t, file(string(r.Src)), r.Undo, group("Stop"))
	if n := len(r.Undo); n != 3 {
		t.Errorf("one event: %+v", r.Undo)
	}
	if r = put(t, file(string(r.Src)), r.Undo); len(r.Undo) != 0 || r.Src == nil {
		t.Errorf("none: %+v", r)
	}
}

func TestNothingIsNotAnAbsentFile(t *testing.T) {
	r := put(t, file(""), nil, group("Stop"))
	if r = put(t, file(string(r.Src)), r.Undo); r.Src == nil || len(r.Src) != 0 {
		t.Errorf("got %q", r.Src)
	}
}

func TestFiveMegabytes(t *testing.T) {
	in := "{\n  \"permissions\": [\n    \"" + strings.Repeat("Bash(echo *)\",\n    \"", 300_000) + "\"\n  ] // end\n}"
	if len(in) < 5<<20 {
		t.Fatalf("only %d bytes", len(in))
	}
	r := put(t, file(in), nil, group("PreToolUse"), group("Stop"))
	if back := put(t, file(string(r.Src)), r.Undo); string(back.Src) != in {
		t.Error("not what it was")
	}
}

func BenchmarkPut(b *testing.B) {
	src := []byte("{\n  \"permissions\": {\"allow\": [\"Bash(ls)\"]}\n}\n")
	for b.Loop() {
		put(b, file(string(src)), nil, group("PreToolUse"), group("Stop"))
	}
}

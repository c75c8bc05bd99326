package harness

import (
	"strings"
	"testing"
)

func TestARewrittenInputGoesBackIntoTheHostsNames(t *testing.T) {
	for _, c := range []struct{ about, tool, sent, rewritten, want, lost string }{
		{"a key that was renamed", `"write_file"`, `{"path":"a","content":"x"}`, `{"file_path":"b","content":"y"}`, `{"path":"b","content":"y"}`, ""},
		{"one that the call had not, by the table", `"edit"`, `{}`, `{"old_string":"x","file_path":"a"}`, `{"oldString":"x","path":"a"}`, ""},
		{"one that the host has itself", `"write_file"`, `{"path":"a","file_path":"b"}`, `{"path":"a","file_path":"c"}`, `{"path":"a","file_path":"c"}`, ""},
		{"values keep their bytes", `"x"`, `{}`, `{"f":1e400,"s":"\ud83d\u0000\/"}`, `{"f":1e400,"s":"\ud83d\u0000\/"}`, ""},
		{"what was made and left alone", `"edit"`, `{"paths":["a","b"]}`, `{"paths":["c"],"file_paths":["a","b"]}`, `{"paths":["c"]}`, ""},
		{"what was made and changed", `"edit"`, `{"paths":["a"]}`, `{"paths":["a"],"file_paths":["c"],"file_path":"c"}`, `{"paths":["a"]}`, "file_paths file_path"},
		{"a text", `"apply_patch"`, `"*** Add File: a"`, `{"patch":"*** Add File: b","file_paths":["a"],"file_path":"a"}`, `"*** Add File: b"`, ""},
		{"a text, and what was made", `"apply_patch"`, `"*** Add File: a"`, `{"file_paths":["b"]}`, `"*** Add File: a"`, "file_paths"},
		{"no object", `"edit"`, `{}`, `[1]`, `[1]`, ""},
	} {
		got, lost := tools.Back(c.tool, c.sent, c.rewritten)
		if got != c.want || strings.Join(lost, " ") != c.lost {
			t.Errorf("%s:\n got %s, lost %v\nwant %s, lost %s", c.about, got, lost, c.want, c.lost)
		}
	}
}

func TestOutputText(t *testing.T) {
	for in, want := range map[string]string{
		`"plain \u00e9"`: "plain é", `{"stdout":"a","stderr":"b","interrupted":false}`: "a\nb", `{"stdout":"a","stderr":""}`: "a",
		`{"type":"text","file":{"filePath":"x","content":"c"}}`: "c", `[{"type":"text","text":"a"},{"type":"text","text":"b"}]`: "a\nb",
		`[{"type":"image"}]`: `[{"type":"image"}]`, `{"n":1}`: `{"n":1}`, `[]`: `[]`, `3`: `3`,
	} {
		if got := OutputText(in); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}

func TestNamesOfMCPTools(t *testing.T) {
	two := Tools{Names: map[string]string{"a-b": "Bash"}, Joins: []string{"/", "-"}}
	for in, want := range map[string]string{
		"my-srv-note": "mcp__my-srv__note", "my-srv/note-it": "mcp__my-srv__note-it", "a-b": "Bash", "plain": "plain", "-x": "-x", "x-": "x-", "mcp__a__b": "mcp__a__b",
	} {
		if got := two.Name(Quoted(in)); got != Quoted(want) {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

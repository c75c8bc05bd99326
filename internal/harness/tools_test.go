package harness

import "testing"

var tools = Tools{
	Names: map[string]string{"shell": "Bash", "write_file": "Write"},
	Args:  map[string]map[string]string{"write_file": {"path": "file_path"}, "edit": {"path": "file_path"}, "*": {"oldString": "old_string"}},
	Text:  map[string]string{"apply_patch": "patch"},
	Files: map[string]Files{"apply_patch": {From: "patch", Pattern: `^\*\*\* (?:Add|Update) File: (.+)$`}, "edit": {From: "paths"}},
}

func TestToolInput(t *testing.T) {
	for _, c := range []struct{ about, tool, in, want string }{
		{"a key moves in its place", `"write_file"`, `{"path":"a.txt","content":"x"}`, `{"file_path":"a.txt","content":"x"}`},
		{"never over a key that the host sent", `"write_file"`, `{"path":"a","file_path":"b"}`, `{"path":"a","file_path":"b"}`},
		{"a key of every tool", `"other"`, `{"oldString":"x"}`, `{"old_string":"x"}`},
		{"values keep their bytes", `"x"`, `{"n":12345678901234567890,"f":1e400,"s":"\ud83d\u0000\/","d":{"b":1,"a":2,"b":3}}`,
			`{"n":12345678901234567890,"f":1e400,"s":"\ud83d\u0000\/","d":{"b":1,"a":2,"b":3}}`},
		{"no object", `"x"`, `[1]`, `{}`},
		{"absent", `"x"`, ``, `{}`},
		{"a patch of one file", `"apply_patch"`, `{"patch":"*** Add File: a b.txt\n+x\n"}`,
			`{"patch":"*** Add File: a b.txt\n+x\n","file_paths":["a b.txt"],"file_path":"a b.txt"}`},
		{"a patch of two", `"apply_patch"`, `{"patch":"*** Add File: a\n*** Update File: b\n"}`,
			`{"patch":"*** Add File: a\n*** Update File: b\n","file_paths":["a","b"]}`},
		{"a patch that is all of the input", `"apply_patch"`, `"*** Add File: a\n+x"`, `{"patch":"*** Add File: a\n+x","file_paths":["a"],"file_path":"a"}`},
		{"a text of another tool", `"edit"`, `"x"`, `{}`},
		{"one path would hide the others", `"edit"`, `{"path":"a","paths":["a","b"]}`, `{"path":"a","paths":["a","b"],"file_paths":["a","b"]}`},
		{"a list of one", `"edit"`, `{"path":"a","paths":["a"]}`, `{"file_path":"a","paths":["a"],"file_paths":["a"]}`},
		{"a list of paths", `"edit"`, `{"paths":["a","b"]}`, `{"paths":["a","b"],"file_paths":["a","b"]}`},
	} {
		if got := tools.Input(c.tool, c.in); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.about, got, c.want)
		}
	}
}

func TestToolName(t *testing.T) {
	for in, want := range map[string]string{`"shell"`: `"Bash"`, `"mine"`: `"mine"`, `3`: `3`, ``: ``} {
		if got := tools.Name(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestPayloadKeepsOrderAndLeavesOutWhatIsAbsent(t *testing.T) {
	var p Payload
	p.Raw("b", `1e400`)
	p.Raw("gone", "")
	p.String("a", "<&>\u2028")
	if got, want := string(p.Bytes()), `{"b":1e400,"a":"<&>\u2028"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

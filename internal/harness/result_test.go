package harness

import "testing"

func TestResult(t *testing.T) {
	if got := (Verdict{Output: `{"stdout":"out","stderr":"err"}`}).Result(); got != "out\nerr" {
		t.Errorf("%q", got)
	}
	v := Verdict{Output: `"new"`, Blocked: true, Reason: "because", Context: "and"}
	if got := v.Result(); got != "new\n\nbecause\n\nand" {
		t.Errorf("with all that is read of it: %q", got)
	}
}

func TestMCPNames(t *testing.T) {
	tools := Tools{Names: map[string]string{"mcp_a_b": "Wrong", "shell": "Bash"}}
	for _, c := range []struct{ name, server, tool, want string }{
		{`"mcp_a_b"`, `"a"`, `"b"`, `"mcp__a__b"`},
		{`"mcp_a.x_b c"`, `"a.x"`, `"b c"`, `"mcp__a_x__b_c"`},
		{`"mcp_ü_b"`, `"ü"`, `"b"`, `"mcp_____b"`},
		{`"shell"`, ``, ``, `"Bash"`},
		{`"shell"`, `"a"`, ``, `"Bash"`},
		{`"other"`, `null`, `7`, `"other"`},
	} {
		if got := tools.MCP(c.name, c.server, c.tool); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestRooted(t *testing.T) {
	tools := Tools{Absolute: []string{"file_path"}}
	for _, c := range []struct{ input, cwd, want string }{
		{`{"n":1e3,"file_path":"a/../b ü.txt","path":"a"}`, `"/w"`, `{"n":1e3,"file_path":"/w/b ü.txt","path":"a"}`},
		{`{"file_path":"/a","x":"\u00e9"}`, `"/w"`, `{"file_path":"/a","x":"\u00e9"}`},
		{`{"file_path":"~/a"}`, `"/w"`, `{"file_path":"~/a"}`},
		{`{"file_path":""}`, `"/w"`, `{"file_path":""}`},
		{`{"file_path":7}`, `"/w"`, `{"file_path":7}`},
		{`{"file_path":"a"}`, `"w"`, `{"file_path":"a"}`},
		{`{"file_path":"a"}`, ``, `{"file_path":"a"}`},
		{`{}`, `"/w"`, `{}`},
	} {
		if got := tools.Rooted(c.input, c.cwd); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.input, c.cwd, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	const pattern = `^<c>[^<]*</c>\n\n`
	for raw, want := range map[string]string{
		`"<c>a &lt; b</c>\n\ngo \ud83d\udc0e"`: `"go 🐎"`,
		`"<c>a</c> go"`:                        `"<c>a</c> go"`,
		`"go <c>a</c>\n\n"`:                    `"go <c>a</c>\n\n"`,
		`7`:                                    `7`, ``: ``,
	} {
		if got := Cut(raw, pattern); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
	if got := Cut(`"a"`, "("); got != `"a"` {
		t.Errorf("a pattern that is none: %s", got)
	}
}

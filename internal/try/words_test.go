package try

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

const base = `"session_id":"lorimer-try","cwd":"/c","hook_event_name":`

func TestWords(t *testing.T) {
	tool := func(event, name, input string) string {
		return `{` + base + `"` + event + `","tool_name":"` + name + `","tool_use_id":"lorimer-try","tool_input":` + input + `}`
	}
	for line, want := range map[string]string{
		"Bash|rm -rf /":                        tool("PreToolUse", "Bash", `{"command":"rm -rf /"}`),
		"Bash|git|push|origin":                 tool("PreToolUse", "Bash", `{"command":"git push origin"}`),
		"bash|ls":                              tool("PreToolUse", "Bash", `{"command":"ls"}`),
		"Bash|x=1 make|timeout:=5":             tool("PreToolUse", "Bash", `{"command":"x=1 make","timeout":5}`),
		"Bash|command=a=b":                     tool("PreToolUse", "Bash", `{"command":"a=b"}`),
		"Write|a.go|package a":                 tool("PreToolUse", "Write", `{"file_path":"/c/a.go","content":"package a"}`),
		"Write|file_path=/x/a.go":              tool("PreToolUse", "Write", `{"file_path":"/x/a.go"}`),
		"Edit|a|b|c|replace_all:=true":         tool("PreToolUse", "Edit", `{"file_path":"/c/a","old_string":"b","new_string":"c","replace_all":true}`),
		"Grep|x|src":                           tool("PreToolUse", "Grep", `{"pattern":"x","path":"src"}`),
		"WebFetch|https://a.b/?q=1|what is it": tool("PreToolUse", "WebFetch", `{"url":"https://a.b/?q=1","prompt":"what is it"}`),
		"mcp__db__q|sql=drop|limit:=5":         tool("PreToolUse", "mcp__db__q", `{"sql":"drop","limit":5}`),
		"PermissionRequest|Read|/a":            tool("PermissionRequest", "Read", `{"file_path":"/a"}`),
		"PostToolUse|LS|/a|--response|gone":    strings.TrimSuffix(tool("PostToolUse", "LS", `{"path":"/a"}`), "}") + `,"tool_response":"gone"}`,
		`PostToolUse|LS|--response|{"a":1}`:    strings.TrimSuffix(tool("PostToolUse", "LS", `{}`), "}") + `,"tool_response":{"a":1}}`,
		"--event|PostToolUse|LS":               strings.TrimSuffix(tool("PostToolUse", "LS", `{}`), "}") + `,"tool_response":{}}`,
		`Write|--input|{"content":"x","b":1}`:  tool("PreToolUse", "Write", `{"content":"x","b":1}`),
		"Stop":                                 `{` + base + `"Stop","stop_hook_active":false}`,
		"Stop|all|done":                        `{` + base + `"Stop","stop_hook_active":false,"last_assistant_message":"all done"}`,
		"Stop|stop_hook_active:=true":          `{` + base + `"Stop","stop_hook_active":true}`,
		"SessionStart":                         `{` + base + `"SessionStart","source":"startup"}`,
		"SessionStart|resume":                  `{` + base + `"SessionStart","source":"resume"}`,
		"UserPromptSubmit|a|b=c":               `{` + base + `"UserPromptSubmit","prompt":"a b=c"}`,
		"--event|Notification|hm":              `{` + base + `"Notification","message":"hm"}`,
		`--input|{"hook_event_name":"PreToolUse","tool_name":"Bash","session_id":"s","n":1e400}`: `{"cwd":"/c","hook_event_name":"PreToolUse","tool_name":"Bash","session_id":"s","n":1e400}`,
		`--event|Stop|--input|{"a":1}`: `{` + base + `"Stop","stop_hook_active":false,"a":1}`,
		"--input|-":                    `{"session_id":"lorimer-try","cwd":"/c","hook_event_name":"Stop","b":2}`,
		"--native|--event|Stop|--input|{\"x\": 1}|--harness|h": `{"x": 1}`,
	} {
		e, err := read(line)
		if err != nil || string(e.payload) != want {
			t.Errorf("%s:\n got %s, %v\nwant %s", line, e.payload, err, want)
		}
	}
}

func TestWordsThatMakeNoSense(t *testing.T) {
	for line, want := range map[string]string{
		"":                                 "expected TOOL ARG...",
		"--event|PreToolUs|Bash":           `unknown event "PreToolUs"; expected one of SessionStart`,
		"LS|a|b":                           `"b": LS takes path; expected not more, or key=value`,
		"mcp__a__b|x":                      `"x": it is not known which argument of mcp__a__b that is; expected key=value`,
		"Bash|timeout:=five":               "timeout:=five: what stands behind := is no JSON",
		"Bash|ls|--input|{}":               `"ls" beside --input`,
		"Bash|--input|[]":                  "--input is no JSON object: \"[]\"",
		"--input|{}":                       "--input has no hook_event_name that is known",
		"--input|@/does/not/exist":         "--input cannot be read",
		"--native|Bash":                    "--native takes no TOOL",
		"--native|--input|{}":              "--native needs --event",
		`--event|Stop|--native|--input|{}`: "--native needs --harness ID",
		"--event|Stop|--native|--input|{}|--harness|shimmed":    "--native is not for shimmed",
		`--event|PreToolUse|--input|{"hook_event_name":"Stop"}`: "--event is PreToolUse, and hook_event_name in --input Stop",
	} {
		if _, err := read(line); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// read is event for a line of words and flags with | between them.
func read(line string) (event, error) {
	c := &Command{Stdin: strings.NewReader(`{"hook_event_name":"Stop","b":2}`)}
	c.Table = []*harness.Harness{{ID: "shimmed", Kind: harness.Generative}, {ID: "h", Kind: harness.External}}
	words := strings.Split(line, "|")
	for i := 0; i < len(words); i++ {
		to := map[string]*string{"--event": &c.Event, "--input": &c.Input, "--response": &c.Response}[words[i]]
		switch {
		case to != nil:
			i++
			*to = words[i]
		case words[i] == "--native":
			c.Native = true
		case words[i] == "--harness":
			i++
			c.Only = []string{words[i]}
		case words[i] != "":
			c.Words = append(c.Words, words[i])
		}
	}
	return c.event("/c")
}

// Every event can be tried.
func TestEveryEventHasAShape(t *testing.T) {
	for _, e := range harness.Events {
		if _, ok := events[e]; ok == e.Tool() {
			t.Errorf("%s: in the table: %v", e, ok)
		}
		words := []string{string(e)}
		if e.Tool() {
			words = append(words, "Bash", "ls")
		}
		if got, err := (&Command{Words: words}).event("/c"); err != nil || got.name != e {
			t.Errorf("%s: %v", e, err)
		}
	}
}

func TestInputFromFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "call.json")
	if err := os.WriteFile(path, []byte("{\n \"command\": \"ls\"\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &Command{Words: []string{"Bash"}, Input: "@" + path, Options: materialize.Options{}, Stdin: io.MultiReader()}
	e, err := c.event("/c")
	if err != nil || e.title != `PreToolUse Bash {"command":"ls"}` {
		t.Errorf("%q, %v", e.title, err)
	}
}

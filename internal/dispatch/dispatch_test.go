package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/receipt"
)

// unread fails the test when anybody asks for the payload.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the payload was read")
	return 0, os.ErrClosed
}

func TestVersion(t *testing.T) {
	c := newClone(t)
	if got := c.runIn(unread{t}, "--version"); got.Stdout != "lorimer-dispatch test, protocol 1\n" || got.Exit != 0 {
		t.Errorf("got %+v", got)
	}
}

// What nobody asked for costs nothing: no payload is read, nothing is started, nothing is said.
func TestNothingToDo(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `touch ran`, func(h *manifest.Handler) { h.Harnesses = []string{"gen"} })
	bare := t.TempDir()
	t.Setenv("HOME", filepath.Dir(bare))
	t.Chdir(bare)
	for name, args := range map[string][]string{
		"no handler for the event":           {"--root", c.root, "native", "Stop"},
		"no handler, though it fails closed": {"--root", c.root, "--fail-closed", "native", "Stop"},
		"the handler is for another harness": {"--root", c.root, "native", "PreToolUse"},
		"no manifest":                        {"native", "PreToolUse"},
	} {
		t.Run(name, func(t *testing.T) {
			c.silent(c.runIn(unread{t}, args...))
		})
	}
	t.Run("the harness is not listed", func(t *testing.T) {
		c := newClone(t)
		c.m.Harnesses = []string{"gen"}
		c.handler(harness.PreToolUse, `touch ran`)
		c.silent(c.runIn(unread{t}, "--root", c.root, "native", "PreToolUse"))
	})
	if c.has("ran") {
		t.Error("the handler ran")
	}
}

func TestVerdicts(t *testing.T) {
	t.Run("allow", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `touch ran`)
		c.silent(c.run(bash, "native", "PreToolUse"))
		if !c.has("ran") {
			t.Error("the handler did not run")
		}
	})
	t.Run("exit 2", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo "no <rm> & co" >&2; exit 2`)
		got := c.run(bash, "native", "PreToolUse")
		want := harness.Reply{Exit: 2, Stdout: `{"decision":"block","reason":"no <rm> & co"}` + "\n", Stderr: "no <rm> & co\n"}
		if got != want {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("an answer on exit 0", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo '{"decision":"block","reason":"no"}'`)
		c.blocked(c.run(bash, "gen", "PreToolUse"), "no")
	})
	t.Run("two reasons, and the others ran", func(t *testing.T) {
		c := newClone(t).
			handler(harness.PreToolUse, `echo one >&2; exit 2`).
			handler(harness.PreToolUse, `echo two >&2; exit 2`, order(1)).
			handler(harness.PreToolUse, `touch ran`, order(2))
		got := c.run(bash, "native", "PreToolUse")
		if got.Stderr != "one\ntwo\n" || !c.has("ran") {
			t.Errorf("got %+v, ran %v", got, c.has("ran"))
		}
	})
	t.Run("context", func(t *testing.T) {
		c := newClone(t).handler(harness.UserPromptSubmit, `echo the build is red`)
		got := c.run(`{"session_id":"s","prompt":"hi"}`, "native", "UserPromptSubmit")
		want := `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"the build is red"}}` + "\n"
		if got != (harness.Reply{Stdout: want}) {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("an observer", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`, observer)
		c.allowedLoudly(c.run(bash, "native", "PreToolUse"), "h0", "block: false", "no")
	})
	t.Run("an effect nobody carries", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo '{"hookSpecificOutput":{"updatedInput":{"command":"true","timeout":5}}}'`)
		c.allowedLoudly(c.run(bash, "native", "PreToolUse"), "h0", "updatedInput", "PreToolUse")
	})
	t.Run("a command that the host cannot rewrite", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo '{"hookSpecificOutput":{"updatedInput":{"command":"true"}}}'`)
		c.blocked(c.run(bash, "native", "PreToolUse"), "Rerun that as: true")
	})
	t.Run("an answer that means nothing", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo '{"decision":7}'`)
		c.allowedLoudly(c.run(bash, "native", "PreToolUse"), "h0", "decision 7", "expected text", "allowed")
	})
	t.Run("an answer that means nothing, on_error: block", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo '{"decision":7}'`, onErrorBlock)
		c.blocked(c.run(bash, "native", "PreToolUse"), "h0", "decision 7")
	})
	t.Run("a block of what cannot be blocked", func(t *testing.T) {
		c := newClone(t).handler(harness.SessionStart, `echo no >&2; exit 2`)
		c.run(`{}`, "native", "SessionStart")
		if !strings.Contains(c.log(), "h0 blocked SessionStart, which cannot be blocked here: no") {
			t.Errorf("log: %q", c.log())
		}
	})
}

// In a host's own words: its payload is read, its answer is given, and of the exit codes only 0 and 2 leave.
func TestHostWords(t *testing.T) {
	const call = `{"conversation":"c1","workspace":{"roots":["/","/tmp"]},"call":{"name":"Bash","args":{"command":"ls"}}}`
	t.Run("payload", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `cat > got; test "$LORIMER_CWD" = /`, matcher("Bash"))
		c.silent(c.run(call, "foreign", "PreToolUse"))
		want := `{"session_id":"c1","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`
		if got := c.read("got"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
	t.Run("an event of the host's that is no event of ours", func(t *testing.T) {
		c := newClone(t).handler(harness.Stop, `touch ran; echo no >&2; exit 2`)
		c.silent(c.run(`{"status":"aborted"}`, "foreign", "Stop"))
		if c.has("ran") {
			t.Error("the handler ran")
		}
	})
	t.Run("a shim hears what went wrong beside a block", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`).handler(harness.PreToolUse, `exit 1`)
		if got := c.run(bash, "gen", "PreToolUse"); !strings.HasPrefix(got.Stderr, "no\nlorimer: handler h1") || got.Exit != 2 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("deny", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`)
		got := c.run(call, "foreign", "PreToolUse")
		if got.Exit != 2 || got.Stdout != `{"permission":"deny","why":"no"}`+"\n" {
			t.Errorf("got %+v", got)
		}
	})
	ask := `echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}'`
	t.Run("ask", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, ask)
		if got := c.run(call, "foreign", "PreToolUse"); got.Stdout != `{"permission":"ask","why":"sure?"}`+"\n" || got.Exit != 0 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("ask where the answer has no word for it", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, ask)
		c.blocked(c.run(bash, "deaf", "PreToolUse"), "sure?")
	})
	t.Run("ask where it is not among what the event can", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, ask)
		c.blocked(c.run(bash, "native", "PreToolUse"), "cannot be asked", "sure?")
	})
}

// Handlers of ascending order run one after the other, those of equal order at the same time; the verdict has their order.
func TestOrder(t *testing.T) {
	t.Run("ascending", func(t *testing.T) {
		c := newClone(t).
			handler(harness.PreToolUse, `echo c >> trace; echo C >&2; exit 2`, order(7)).
			handler(harness.PreToolUse, `sleep 0.05; echo a >> trace; echo A >&2; exit 2`, order(-1)).
			handler(harness.PreToolUse, `sleep 0.02; echo b >> trace; echo B >&2; exit 2`, order(3))
		got := c.run(bash, "native", "PreToolUse")
		if c.read("trace") != "a\nb\nc\n" || got.Stderr != "A\nB\nC\n" {
			t.Errorf("trace %q, reasons %q", c.read("trace"), got.Stderr)
		}
	})
	// Each waits for the other: they can only end when both run. The second speaks first, and yet is listed second.
	t.Run("in parallel", func(t *testing.T) {
		meet := func(mine, other, say string) string {
			return "touch " + mine + "; i=0; while [ ! -e " + other + " ] && [ $i -lt 500 ]; do sleep 0.01; i=$((i+1)); done; " + say
		}
		c := newClone(t).
			handler(harness.PreToolUse, meet("one", "two-said", "echo first >&2; [ -e two-said ] && exit 2"), order(1)).
			handler(harness.PreToolUse, meet("two", "one", "touch two-said; echo second >&2; [ -e one ] && exit 2"), order(1))
		if got := c.run(bash, "native", "PreToolUse"); got.Stderr != "first\nsecond\n" {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("all get the same stdin", func(t *testing.T) {
		c := newClone(t)
		for range 5 {
			c.handler(harness.PreToolUse, `cat > "got-$(basename $0)"`)
		}
		c.silent(c.run(bash, "native", "PreToolUse"))
		for _, name := range []string{"h0", "h1", "h2", "h3", "h4"} {
			if got := c.read("got-PreToolUse-" + name); got != bash {
				t.Errorf("%s got %q", name, got)
			}
		}
	})
}

// What handlers see beside the payload.
func TestHandlerEnvironment(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `env > env; pwd > pwd`)
	t.Setenv("LORIMER_HARNESS", "inherited")
	t.Setenv("CLAUDE_PROJECT_DIR", "/inherited")
	t.Setenv("OF_THE_HOST", "kept")
	work := t.TempDir()
	c.run(`{"cwd":"`+work+`"}`, "native", "PreToolUse")
	lines := strings.Split(c.read("env"), "\n")
	for _, want := range []string{
		"LORIMER_HARNESS=native", "LORIMER_EVENT=PreToolUse", "LORIMER_CAN=block,context", "LORIMER_CWD=" + work,
		"CLAUDE_PROJECT_DIR=" + c.root, "LORIMER_DEPTH=1", "OF_THE_HOST=kept",
	} {
		name, _, _ := strings.Cut(want, "=")
		var got []string
		for _, line := range lines {
			if strings.HasPrefix(line, name+"=") {
				got = append(got, line)
			}
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q once", got, want)
		}
	}
	if got := c.read("pwd"); got != c.root+"\n" {
		t.Errorf("it ran in %q", got)
	}
	// A shell would hide it: of two equal names C programs take the first.
	c.handler(harness.UserPromptSubmit, "", argv("/usr/bin/env"))
	seen := c.run(`{}`, "native", "UserPromptSubmit").Stdout
	if strings.Count(seen, "LORIMER_HARNESS=") != 1 || strings.Count(seen, "CLAUDE_PROJECT_DIR=") != 1 {
		t.Errorf("the environment has doubles: %s", seen)
	}
}

// A hook that starts an agent starts hooks: only what says so runs there.
func TestRecursion(t *testing.T) {
	c := newClone(t).
		handler(harness.Stop, `touch plain; echo no >&2; exit 2`).
		handler(harness.Stop, `echo $LORIMER_DEPTH > nested`, func(h *manifest.Handler) { h.Nested = true })
	t.Setenv("LORIMER_DEPTH", "1")
	c.silent(c.run(`{}`, "native", "Stop"))
	if c.has("plain") || c.read("nested") != "2\n" {
		t.Errorf("plain %v, nested %q", c.has("plain"), c.read("nested"))
	}
	t.Setenv("LORIMER_DEPTH", "nonsense")
	c.blocked(c.run(`{}`, "native", "Stop"), "no")
	if c.read("nested") != "1\n" {
		t.Errorf("nested %q", c.read("nested"))
	}
}

func TestFilesInArgv(t *testing.T) {
	record := `for a in "$@"; do echo "[$a]"; done > args`
	for name, c := range map[string]struct{ input, want string }{
		"one, absolute":        {`{"file_path":"/a b/c"}`, "[-w]\n[/a b/c]\n[--of=/a b/c]\n"},
		"one, relative":        {`{"file_path":"x/../y.go"}`, "[-w]\n[/y.go]\n[--of=/y.go]\n"},
		"several":              {`{"file_path":"/b","file_paths":["/a","b"]}`, "[-w]\n[/a]\n[/b]\n[--of=/a]\n[--of=/b]\n"},
		"one behind a list":    {`{"file_path":"/b","file_paths":["/a"]}`, "[-w]\n[/a]\n[/b]\n[--of=/a]\n[--of=/b]\n"},
		"an empty list":        {`{"file_path":"/a","file_paths":[]}`, "[-w]\n[/a]\n[--of=/a]\n"},
		"escapes":              {`{"file_path":"/\u00e9\"\n$(x)"}`, "[-w]\n[/é\"\n$(x)]\n[--of=/é\"\n$(x)]\n"},
		"none":                 {`{"command":"ls"}`, ""},
		"an empty one":         {`{"file_path":""}`, ""},
		"not a text":           {`{"file_path":7}`, ""},
		"the input is no map":  {`"/a"`, ""},
		"files that are texts": {`{"file_paths":[7,"/a",null]}`, "[-w]\n[/a]\n[--of=/a]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t)
			script := "./" + clone.script("record", record)
			clone.handler(harness.PostToolUse, "", argv(script, "-w", "{file_path}", "--of={file_path}"))
			clone.silent(clone.run(`{"cwd":"/","tool_name":"Edit","tool_input":`+c.input+`}`, "native", "PostToolUse"))
			if got := clone.read("args"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if started := len(receipt.Read(clone.home, clone.root)) > 0; started != (c.want != "") {
				t.Errorf("started: %v", started)
			}
		})
	}
}

// A handler of certain files is started for these alone, and is given no others.
func TestFiles(t *testing.T) {
	for name, c := range map[string]struct {
		files []string
		input string
		want  string // "" = not started
	}{
		"by its end":            {[]string{"*.go"}, `{"file_path":"src/a.go"}`, "src/a.go"},
		"of another end":        {[]string{"*.go"}, `{"file_path":"a.md"}`, ""},
		"below a directory":     {[]string{"src/**"}, `{"file_path":"src/x/y"}`, "src/x/y"},
		"beside it":             {[]string{"src/**"}, `{"file_path":"lib/src/y"}`, ""},
		"one of several globs":  {[]string{"*.go", "/go.mod"}, `{"file_path":"go.mod"}`, "go.mod"},
		"some of several files": {[]string{"*.go"}, `{"file_paths":["a.go","b.md","c.go"]}`, "a.go c.go"},
		"none of several files": {[]string{"*.go"}, `{"file_paths":["a.md","b.md"]}`, ""},
		"absolute":              {[]string{"//etc/*"}, `{"file_path":"/etc/hosts"}`, "/etc/hosts"},
		"outside of the clone":  {[]string{"etc/*"}, `{"file_path":"/etc/hosts"}`, ""},
		"a call without a file": {[]string{"*"}, `{"command":"ls"}`, ""},
		"from where work is":    {[]string{"/sub/*.go"}, `{"file_path":"sub/a.go"}`, "sub/a.go"},
		"a file without a glob": {nil, `{"file_path":"a.md"}`, "a.md"},
	} {
		t.Run(name, func(t *testing.T) {
			only := func(h *manifest.Handler) { h.Files = c.files }
			clone := newClone(t)
			script := "./" + clone.script("record", `echo "$@" >args`)
			clone.handler(harness.PostToolUse, "", argv(script, "{file_path}"), only)
			clone.handler(harness.PostToolUse, "touch without", only)
			clone.silent(clone.run(`{"cwd":"`+clone.root+`","tool_name":"Write","tool_input":`+c.input+`}`, "native", "PostToolUse"))
			got := strings.ReplaceAll(strings.TrimSpace(clone.read("args")), clone.root+"/", "")
			if got != c.want || clone.has("without") != (c.want != "") {
				t.Errorf("got %q, want %q; without argv: %v", got, c.want, clone.has("without"))
			}
		})
	}
	t.Run("not a call", func(t *testing.T) {
		c := newClone(t).handler(harness.Stop, "touch ran", func(h *manifest.Handler) { h.Files = []string{"*"} })
		c.silent(c.run(`{"session_id":"s"}`, "native", "Stop"))
		if c.has("ran") {
			t.Error("it ran")
		}
	})
}

func TestShellLine(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, "", func(h *manifest.Handler) { h.Run = `cat | grep -q '"Bash"' && echo "$0: no" >&2 && exit 2` })
	c.blocked(c.run(bash, "native", "PreToolUse"), "sh: no")
}

// A program without a slash is looked for on PATH, never in the clone.
func TestProgramOnPath(t *testing.T) {
	c := newClone(t)
	bin := t.TempDir()
	c.script("guard", "touch wrong")
	if err := os.Rename(filepath.Join(c.root, c.script("guard2", `touch right`)), filepath.Join(bin, "guard")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	c.handler(harness.PreToolUse, "", argv("guard"))
	c.silent(c.run(bash, "native", "PreToolUse"))
	if !c.has("right") || c.has("wrong") {
		t.Error("the wrong program ran")
	}
}

// One session can be turned off, but never in silence; where no handler wants the event there is nothing to say.
func TestDisabled(t *testing.T) {
	t.Setenv("LORIMER_DISABLE", "1")
	c := newClone(t).handler(harness.PreToolUse, `touch ran; echo no >&2; exit 2`, onErrorBlock)
	c.allowedLoudly(c.run(bash, "native", "PreToolUse"), "LORIMER_DISABLE is 1")
	if c.has("ran") {
		t.Error("the handler ran")
	}
	if got := c.run(bash, "native", "PostToolUse"); got != (harness.Reply{}) {
		t.Errorf("an event that nobody wants: %+v", got)
	}
}

// The switch is 1, or it is none: a variable that says 0 or false takes no hook out.
func TestNotDisabled(t *testing.T) {
	for _, value := range []string{"", "0", "false", "yes"} {
		t.Setenv("LORIMER_DISABLE", value)
		c := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`)
		c.blocked(c.run(bash, "native", "PreToolUse"), "no")
	}
}

// Equal commands of one event run once, and the strictest of what they say holds.
func TestEqualCommands(t *testing.T) {
	c := newClone(t)
	script := "./" + c.script("note", "echo ran >> ran; exit 1")
	c.handler(harness.PreToolUse, "", argv(script, "a"))
	c.handler(harness.PreToolUse, "", argv(script, "a"), func(h *manifest.Handler) { h.OnError = manifest.BlockOnFault })
	c.handler(harness.PreToolUse, "", argv(script, "b"))
	c.handler(harness.PreToolUse, "", argv(script, "b"), func(h *manifest.Handler) { h.Matcher = "Read" })
	c.blocked(c.run(bash, "native", "PreToolUse"), "")
	if got := c.read("ran"); got != "ran\nran\n" {
		t.Errorf("got %q", got)
	}
}

// What makes two handlers different runs twice; of two that are one the strictest policy holds, whichever stands first.
func TestWhatIsOneHandler(t *testing.T) {
	plain := manifest.Handler{Name: "a", Run: "x"}
	for name, change := range map[string]func(*manifest.Handler){
		"line": func(h *manifest.Handler) { h.Run = "y" }, "argv": func(h *manifest.Handler) { h.Run, h.Argv = "", []string{"x"} },
		"if": func(h *manifest.Handler) { h.If = "Bash" }, "files": func(h *manifest.Handler) { h.Files = []string{"*"} },
		"async": func(h *manifest.Handler) { h.Async = true }, "managed": func(h *manifest.Handler) { h.Managed = true },
	} {
		other := plain
		change(&other)
		if got := distinct([]job{{Handler: plain}, {Handler: other}, {Handler: plain}}); len(got) != 2 {
			t.Errorf("%s: %d run", name, len(got))
		}
	}
	strict := manifest.Handler{Name: "b", Run: "x", Block: true, OnError: manifest.BlockOnFault, OnLimit: manifest.BlockOnFault}
	for _, both := range [][]job{{{Handler: plain}, {Handler: strict}}, {{Handler: strict}, {Handler: plain}}} {
		got := distinct(both)
		if len(got) != 1 || !got[0].Block || got[0].OnError != manifest.BlockOnFault || got[0].OnLimit != manifest.BlockOnFault || got[0].Name != both[0].Name {
			t.Errorf("got %+v", got)
		}
	}
}

func TestProjectDirInArgv(t *testing.T) {
	c := newClone(t)
	c.script("note", `echo "$@" > args`)
	c.handler(harness.PreToolUse, "", argv("${CLAUDE_PROJECT_DIR}/hooks/note", "x=${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR"))
	c.silent(c.run(bash, "native", "PreToolUse"))
	if got, want := c.read("args"), "x="+c.root+" $CLAUDE_PROJECT_DIR\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

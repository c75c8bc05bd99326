package dispatch

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

func ruled(rule string) func(*manifest.Handler) { return func(h *manifest.Handler) { h.If = rule } }
func globs(globs ...string) func(*manifest.Handler) {
	return func(h *manifest.Handler) { h.Files = globs }
}

// patched is a call of a tool that takes a patch; more is what else its input has.
func patched(patch, more string) string {
	return `{"session_id":"s","cwd":"CLONE","tool_name":"Edit","tool_use_id":"t","tool_input":{"patch":` + harness.Quoted(patch) + more + `}}`
}

const (
	adds  = "*** Begin Patch\n*** Add File: new/a.txt\n+one\n+\n+*** Add File: no\n*** End Patch"
	mixed = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** Update File: b.txt\n@@\n-x\n+y\n*** Delete File: old/c.txt\n*** Update File: d.txt\n*** Move to: moved/e.txt\n@@\n x\n*** End Patch"
)

// Who is asked about a patch, and about which files: each is shown as a call of its own.
func TestWhoIsShownAPatch(t *testing.T) {
	for name, c := range map[string]struct {
		patch string
		with  []func(*manifest.Handler)
		want  string // tool and file of each call
	}{
		"a file that is made, by the tool that makes files":   {adds, []func(*manifest.Handler){matcher("Write")}, "Write new/a.txt"},
		"and by the host's own, whose hooks must not miss it": {adds, []func(*manifest.Handler){matcher("Edit")}, "Write new/a.txt"},
		"by an expression":                         {adds, []func(*manifest.Handler){matcher("^Wr.*")}, "Write new/a.txt"},
		"by a rule":                                {adds, []func(*manifest.Handler){ruled("Write(new/**)")}, "Write new/a.txt"},
		"by a rule about another place":            {adds, []func(*manifest.Handler){ruled("Write(src/**)")}, ""},
		"by globs":                                 {adds, []func(*manifest.Handler){matcher("Write"), globs("*.txt")}, "Write new/a.txt"},
		"by globs of others":                       {adds, []func(*manifest.Handler){matcher("Write"), globs("*.go")}, ""},
		"another tool":                             {adds, []func(*manifest.Handler){matcher("Bash|Read")}, ""},
		"several, one call each":                   {mixed, nil, "Write a.txt,Edit b.txt,Edit old/c.txt,Edit d.txt,Edit moved/e.txt"},
		"of several those that are made":           {mixed, []func(*manifest.Handler){matcher("Write")}, "Write a.txt"},
		"of several a rule's":                      {mixed, []func(*manifest.Handler){ruled("Edit(b.txt)")}, "Edit b.txt"},
		"a file that is deleted":                   {mixed, []func(*manifest.Handler){ruled("Edit(old/**)")}, "Edit old/c.txt"},
		"where a file is moved to":                 {mixed, []func(*manifest.Handler){ruled("Edit(moved/**)")}, "Edit moved/e.txt"},
		"and from":                                 {mixed, []func(*manifest.Handler){ruled("Edit(d.txt)")}, "Edit d.txt"},
		"no file that is made is an update":        {mixed, []func(*manifest.Handler){ruled("Write(b.txt)")}, ""},
		"by globs, those that fit":                 {mixed, []func(*manifest.Handler){globs("old/**", "a.*")}, "Write a.txt,Edit old/c.txt"},
		"deleted and made anew":                    {"*** Delete File: x\n*** Add File: x\n+y", nil, "Edit x,Write x"},
		"with blanks where the host passes them":   {"  *** Add File:x y.txt \r\n+1", []func(*manifest.Handler){matcher("Write")}, "Write x y.txt"},
		"a patch that nobody understands is whole": {"rm -rf", []func(*manifest.Handler){matcher("Edit")}, "Edit "},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t).handler(harness.PreToolUse, `grep -o '"tool_name":"[A-Za-z]*"\|"file_path":"[^"]*"' | cut -d'"' -f4 | tr '\n' ' ' >>calls; echo >>calls`, c.with...)
			clone.silent(clone.run(strings.ReplaceAll(patched(c.patch, ""), "CLONE", clone.root), "patching", "PreToolUse"))
			var got []string
			for line := range strings.Lines(clone.read("calls")) {
				got = append(got, strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(line, clone.root+"/", ""), "\n"), " "))
			}
			var want []string
			for call := range strings.SplitSeq(c.want, ",") {
				if call != "" {
					want = append(want, strings.TrimSuffix(call, " "))
				}
			}
			slices.Sort(got) // they run at the same time
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// What a handler reads is what Claude's tool would have been given, with the host's own patch beside it.
func TestWhatIsShownOfAPatch(t *testing.T) {
	for name, c := range map[string]struct{ patch, matcher, tool, input string }{
		"made":    {adds, "Write", "Write", `{"file_path":"CLONE/new/a.txt","content":"one\n\n*** Add File: no\n","file_paths":["CLONE/new/a.txt"],"patch":PATCH,"n":1e400}`},
		"empty":   {"*** Add File: a\n*** End Patch", "Write", "Write", `{"file_path":"CLONE/a","content":"","file_paths":["CLONE/a"],"patch":PATCH,"n":1e400}`},
		"updated": {"*** Update File: a\n@@\n-x\n+y", "Edit", "Edit", `{"file_path":"CLONE/a","file_paths":["CLONE/a"],"patch":PATCH,"n":1e400}`},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t).handler(harness.PostToolUse, `cat >seen`, matcher(c.matcher))
			payload := strings.ReplaceAll(patched(c.patch, `,"n":1e400`), "CLONE", clone.root)
			clone.silent(clone.run(payload, "patching", "PostToolUse"))
			input := strings.NewReplacer("CLONE", clone.root, "PATCH", harness.Quoted(c.patch)).Replace(c.input)
			want := `{"session_id":"s","cwd":"` + clone.root + `","tool_name":"` + c.tool + `","tool_use_id":"t","tool_input":` + input + `}`
			if got := clone.read("seen"); got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
		})
	}
}

func TestFilesOfAPatchInArgv(t *testing.T) {
	for m, want := range map[string]string{"": "a.txt b.txt old/c.txt d.txt moved/e.txt\n", "Write": "a.txt\n"} {
		c := newClone(t)
		script := "./" + c.script("record", `echo "$@" >>args`)
		c.handler(harness.PostToolUse, "", argv(script, "{file_path}"), matcher(m))
		c.silent(c.run(strings.ReplaceAll(patched(mixed, ""), "CLONE", c.root), "patching", "PostToolUse"))
		if got := strings.ReplaceAll(c.read("args"), c.root+"/", ""); got != want {
			t.Errorf("%q: got %q, want %q", m, got, want)
		}
	}
}

// A list that the host gives is shown in the same way, with what a patch beside it makes.
func TestListedFilesAreShownOneByOne(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `grep -o '"tool_name":"[A-Za-z]*","tool_input":{"file_path":"[^"]*"' >>calls`)
	c.silent(c.run(`{"session_id":"s","tool_name":"MultiEdit","tool_input":{"text":"new /b\n> x","file_paths":["/a","/b"]}}`, "patching", "PreToolUse"))
	lines := strings.Split(strings.TrimSpace(c.read("calls")), "\n")
	slices.Sort(lines)
	if got, want := strings.Join(lines, " "), `"tool_name":"MultiEdit","tool_input":{"file_path":"/a" "tool_name":"Write","tool_input":{"file_path":"/b"`; got != want {
		t.Errorf("got %s", got)
	}
}

// One block of one file holds the whole patch, and an allow of one file allows nothing of the others.
func TestVerdictsOnParts(t *testing.T) {
	const allow = `echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'`
	t.Run("a block", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `grep -q 'file_path":"[^"]*old/c.txt' && { echo NO >&2; exit 2; }; exit 0`)
		c.blocked(c.run(strings.ReplaceAll(patched(mixed, ""), "CLONE", c.root), "patching", "PreToolUse"), "NO")
	})
	for name, w := range map[string]struct {
		m, patch string
		allowed  bool
	}{"of one": {"Write", mixed, false}, "of all": {"", mixed, true}, "of the only one": {"Write", adds, true}} {
		t.Run("an allow "+name, func(t *testing.T) {
			c := newClone(t).handler(harness.PermissionRequest, allow, matcher(w.m))
			got := c.run(strings.ReplaceAll(patched(w.patch, ""), "CLONE", c.root), "patching", "PermissionRequest")
			if strings.Contains(got.Stdout, `"allow"`) != w.allowed || (got.Stderr == "") != w.allowed {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// An input that was given to a part goes back into the call as it is; what was made for the handler is no part of that.
func TestANewInputOfAPart(t *testing.T) {
	for name, c := range map[string]struct{ patch, js, want, aloud string }{
		"the patch":            {adds, `i.patch="*** Delete File: z"`, `{"patch":"*** Delete File: z","n":1}`, ""},
		"what a file will be":  {adds, `i.content="other\n+\nlast"`, `{"patch":"*** Begin Patch\n*** Add File: new/a.txt\n+other\n++\n+last\n*** End Patch","n":1}`, ""},
		"to nothing":           {adds, `i.content=""`, `{"patch":"*** Begin Patch\n*** Add File: new/a.txt\n*** End Patch","n":1}`, ""},
		"of several":           {"*** Add File: a\n+1\n*** Add File: b\n+2\n*** Delete File: c", `i.content="<"+i.content`, `{"patch":"*** Add File: a\n+<1\n*** Add File: b\n+<2\n*** Delete File: c","n":1}`, ""},
		"where it will be":     {adds, `i.file_path="/x"`, ``, "file_path cannot be changed"},
		"the patch and where":  {adds, `i.patch="p";i.file_path="/x"`, `{"patch":"p","n":1}`, "file_path cannot be changed"},
		"no text":              {adds, `i.content=7`, ``, "content cannot be changed"},
		"nothing":              {adds, ``, ``, ""},
		"another key":          {adds, `i={file_path:i.file_path,content:i.content,n:2,m:3}`, `{"patch":PATCH,"n":2,"m":3}`, ""},
		"the keys of its tool": {"*** Add File: a\n+1", `i={file_path:i.file_path,content:"2\n"}`, `{"patch":"*** Add File: a\n+2","n":1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t).handler(harness.PreToolUse, `node -e 'let i=JSON.parse(require("fs").readFileSync(0)).tool_input;`+c.js+`;console.log(JSON.stringify({hookSpecificOutput:{updatedInput:i}}))'`, matcher("Write"))
			got := clone.run(strings.ReplaceAll(patched(c.patch, `,"n":1`), "CLONE", clone.root), "patching", "PreToolUse")
			want := ""
			if c.want != "" {
				want = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":` + strings.ReplaceAll(c.want, "PATCH", harness.Quoted(c.patch)) + "}}\n"
			}
			if got.Stdout != want {
				t.Errorf("\n got %s\nwant %s", got.Stdout, want)
			}
			if (got.Stderr == "") != (c.aloud == "") || !strings.Contains(got.Stderr, c.aloud) {
				t.Errorf("said %q", got.Stderr)
			}
		})
	}
}

// Those of a later order judge the files of the patch as those before made it, not those that it had.
func TestLaterHandlersSeeTheFilesOfTheNewPatch(t *testing.T) {
	c := rewriting(t, `{"tool_name":"Edit","tool_input":{"patch":"*** Update File: a\n*** Delete File: b","file_paths":["a","b"]}}`)
	c.harness = rowOf(t, "patching")
	c.ask(says(1, "a", `printf %s '{"hookSpecificOutput":{"updatedInput":{"patch":"*** Add File: secret/b\n+x"}}}'`),
		manifest.Handler{Name: "b", Order: 2, If: "Write(secret/**)", Run: "cat >later", Block: true},
		manifest.Handler{Name: "c", Order: 2, If: "Edit(a)", Run: "cat >gone", Block: true})
	later, err := os.ReadFile(c.root + "/later")
	if err != nil || !strings.Contains(string(later), `"file_path":"`+c.root+`/secret/b","content":"x\n"`) {
		t.Errorf("%v %s", err, later)
	}
	if _, err := os.Stat(c.root + "/gone"); err == nil {
		t.Error("asked about a file that is in the patch no more")
	}
}

// Self-protection sees each of them, whatever the handlers are about.
func TestSelfProtectionOfPatches(t *testing.T) {
	for _, line := range []string{"*** Add File: lorimer.yaml", "*** Delete File: conf/hooks.yaml", "*** Update File: a\n*** Move to: .scoped/settings.json", " *** Add File:lorimer.yaml"} {
		c := protected(t)
		c.blocked(c.run(strings.ReplaceAll(patched("*** Begin Patch\n*** Add File: b\n+x\n"+line+"\n", ""), "CLONE", c.root), "patching", "PreToolUse"), "self_protect")
	}
}

package dispatch

import (
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// protected is a clone whose manifest wants its hooks protected.
func protected(t *testing.T) *clone {
	c := newClone(t)
	c.m.SelfProtect = true
	c.m.Sources = []manifest.Source{{Path: "conf/hooks.yaml", SHA256: sum(nil)}}
	c.write("conf/hooks.yaml", "")
	return c.materialize()
}

func write(tool, input string) string {
	return `{"session_id":"s","tool_name":"` + tool + `","tool_input":` + input + `}`
}

func TestSelfProtection(t *testing.T) {
	for name, c := range map[string]struct{ payload, words string }{
		"our own file":          {write("Write", `{"file_path":".lorimer/manifest.json"}`), ".lorimer/manifest.json is one of the files"},
		"a source":              {write("Edit", `{"file_path":"conf/hooks.yaml"}`), "conf/hooks.yaml"},
		"another host's config": {write("Write", `{"file_path":".scoped/settings.json"}`), ".scoped/settings.json"},
		"one of several":        {write("apply_patch", `{"file_paths":["a","lorimer.yaml"]}`), "lorimer.yaml"},
		"a notebook":            {write("NotebookEdit", `{"notebook_path":"lorimer.yaml"}`), "lorimer.yaml"},
		"an MCP server's tool":  {write("mcp__fs__move", `{"source":"a","destination":".lorimer"}`), ".lorimer"},
		"a command":             {write("Bash", `{"command":"lorimer off"}`), "`lorimer off`"},
		"the trust record":      {write("Write", `{"file_path":"state/trusted/x"}`), "state/trusted/x"},

		"where the call works":  {write("Bash", `{"command":"rm hooks.yaml","in_dir":"conf"}`), "hooks.yaml"},
		"and absolute":          {write("Bash", `{"command":"rm lorimer.yaml","in_dir":"CLONE"}`), "lorimer.yaml"},
		"where it does not":     {write("Bash", `{"command":"rm lorimer.yaml","cwd":"/","workdir":"/"}`), "lorimer.yaml"},
		"a path by another key": {write("mcp__serena__replace_content", `{"relative_path":"conf/hooks.yaml"}`), "conf/hooks.yaml"},

		"elsewhere":            {write("Bash", `{"command":"rm lorimer.yaml","in_dir":"/"}`), ""},
		"a file of the user's": {write("Write", `{"file_path":"main.go"}`), ""},
		"a look":               {write("Read", `{"file_path":"lorimer.yaml"}`), ""},
		"a patch of the shell": {write("Bash", `{"command":"make","path":"lorimer.yaml"}`), ""},
		"nothing":              {`{}`, ""},
		"no object":            {write("Write", `"lorimer.yaml"`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, id := range []string{"native", "gen"} {
				clone := protected(t)
				got := clone.run(strings.ReplaceAll(c.payload, "CLONE", clone.root), id, "PreToolUse")
				if c.words == "" {
					clone.silent(got)
				} else {
					clone.blocked(got, c.words, "self_protect")
				}
			}
		})
	}
}

func TestSelfProtectionBesideHandlers(t *testing.T) {
	t.Run("all run, and both reasons are told", func(t *testing.T) {
		c := protected(t).handler(harness.PreToolUse, `touch ran; echo "not that" >&2; exit 2`)
		c.blocked(c.run(write("Write", `{"file_path":"lorimer.yaml"}`), "native", "PreToolUse"), "self_protect", "not that")
		if !c.has("ran") {
			t.Error("the handler did not run")
		}
	})
	t.Run("inside an agent that a handler started", func(t *testing.T) {
		c := protected(t).handler(harness.PreToolUse, `touch ran`)
		t.Setenv("LORIMER_DEPTH", "1")
		c.blocked(c.run(write("Write", `{"file_path":"lorimer.yaml"}`), "native", "PreToolUse"), "self_protect")
		if c.has("ran") {
			t.Error("the handler ran")
		}
	})
	t.Run("switched off with the hooks", func(t *testing.T) {
		c := protected(t)
		t.Setenv("LORIMER_DISABLE", "1")
		c.allowedLoudly(c.run(write("Write", `{"file_path":"lorimer.yaml"}`), "native", "PreToolUse"), "LORIMER_DISABLE")
	})
	t.Run("not wanted", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `true`, onErrorBlock)
		c.silent(c.run(write("Write", `{"file_path":"lorimer.yaml"}`), "native", "PreToolUse"))
	})
	t.Run("on its event alone, in its harnesses alone", func(t *testing.T) {
		c := protected(t)
		c.silent(c.runIn(unread{t}, "--root", c.root, "native", "PostToolUse"))
		c.m.Harnesses = []string{"gen"}
		c.materialize()
		c.silent(c.runIn(unread{t}, "--root", c.root, "native", "PreToolUse"))
	})
	t.Run("an untrusted manifest cannot leave it out", func(t *testing.T) {
		c := protected(t)
		c.write(".lorimer/manifest.json", strings.Replace(string(c.m.Encode()), `"self_protect": true,`, "", 1))
		c.blocked(c.run(write("Write", `{"file_path":"lorimer.yaml"}`), "--fail-closed", "native", "PreToolUse"), "changed since you agreed")
	})
}

// The user's own files are those below HOME, wherever that is.
func TestSelfProtectionOfTheUsersOwnFiles(t *testing.T) {
	home := t.TempDir()
	for _, payload := range []string{
		write("Write", `{"file_path":"`+home+`/.scoped/settings.json"}`),
		write("Bash", `{"command":"rm ~/.scoped/settings.json"}`),
		write("Bash", `{"command":"rm $HOME/.scoped/settings.json"}`),
	} {
		for set, blocks := range map[string]bool{home: true, t.TempDir(): strings.Contains(payload, "Bash"), "": false} {
			c := protected(t)
			t.Setenv("HOME", set)
			got := c.run(payload, "native", "PreToolUse")
			if blocked := got.Exit == 2 && strings.Contains(got.Stderr, ".scoped/settings.json"); blocked != blocks {
				t.Errorf("%s with HOME %q: %+v", payload, set, got)
			}
		}
	}
}

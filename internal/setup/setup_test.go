package setup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/dispatch"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// host has one event of each sort.
func host() *harness.Harness {
	can := func(e ...harness.Effect) []harness.Effect { return e }
	return &harness.Harness{ID: "host", Name: "the host", Hooks: &harness.Hooks{Shared: ".host/hooks.json", At: []string{"hooks", "{host_event}"}, ProjectEnv: []string{"HOST_DIR"}}, Events: []harness.Binding{
		{Event: harness.PreToolUse, Can: can(harness.Block)}, {Event: harness.PostToolUse, Can: can(harness.Block)},
		{Event: harness.Stop, Can: can(harness.Continue)}, {Event: harness.UserPromptSubmit}, {Event: harness.SubagentStop}, {Event: harness.SessionEnd},
	}}
}

func TestCells(t *testing.T) {
	for _, c := range []struct {
		event     harness.Event
		x         manifest.Handler
		itself    bool
		does, why string
	}{
		{harness.PreToolUse, manifest.Handler{Block: true}, false, "blocks", ""},
		{harness.PreToolUse, manifest.Handler{Block: true}, true, "native", ""},
		{harness.PreToolUse, manifest.Handler{Block: true, Harnesses: []string{"other"}}, false, "-", ""},
		{harness.PreToolUse, manifest.Handler{}, false, "runs", ""},
		{harness.PreToolUse, manifest.Handler{Block: true, Async: true}, false, "runs", ""},
		{harness.Stop, manifest.Handler{Block: true}, false, "continues", ""},
		{harness.PostToolUse, manifest.Handler{Block: true}, false, "runs", ""},
		{harness.SessionEnd, manifest.Handler{Block: true}, false, "runs", ""},
		{harness.UserPromptSubmit, manifest.Handler{Block: true}, false, "runs", "the host cannot be held up at UserPromptSubmit: a block is only said aloud"},
		{harness.SubagentStop, manifest.Handler{Block: true}, false, "runs", "the host cannot be held up at SubagentStop: a block is only said aloud"},
		{harness.PreCompact, manifest.Handler{Block: true}, false, "can't", "the host has no PreCompact"},
	} {
		if got := cell(host(), c.event, c.x, c.itself); got.Does != c.does || got.Why != c.why {
			t.Errorf("%s %+v: %s, %q; want %s, %q", c.event, c.x, got.Does, got.Why, c.does, c.why)
		}
	}
}

// A shot proves something only when the probe ran and, where the host can be held up, was obeyed.
func TestJudge(t *testing.T) {
	holds, deaf := harness.Binding{Event: harness.PreToolUse, Can: []harness.Effect{harness.Block}}, harness.Binding{Event: harness.SessionEnd}
	said := []string{dispatch.ProbeReason + "\n"}
	for name, c := range map[string]struct {
		shot   conform.Shot
		b      harness.Binding
		marked bool
		proven bool
		what   string
	}{
		"obeyed":        {conform.Shot{Reasons: said}, holds, true, true, "obeyed"},
		"not obeyed":    {conform.Shot{}, holds, true, false, "did not reach"},
		"another block": {conform.Shot{Reasons: []string{"broken"}}, holds, true, false, "did not reach"},
		"no mark":       {conform.Shot{Reasons: said}, holds, false, false, "did not fire"},
		"reached":       {conform.Shot{}, deaf, true, true, "was reached"},
		"a loud line":   {conform.Shot{Report: []string{"lorimer: not trusted"}}, deaf, false, false, "not trusted"},
		"not fired":     {conform.Shot{Err: errors.New("no such play")}, deaf, true, false, "no such play"},
	} {
		if proven, what := judge(c.shot, c.b, c.marked); proven != c.proven || !strings.Contains(what, c.what) {
			t.Errorf("%s: %v, %q", name, proven, what)
		}
	}
}

func TestShellWords(t *testing.T) {
	for line, want := range map[string][]string{
		`"$DIR"/a.sh x | b`: {"$DIR/a.sh", "x"}, `A=1 B='2 3' run 'it is'`: {"run", "it is"}, `a;b`: {"a"}, ``: nil, `(x)`: nil,
	} {
		if got := shellWords(line); !slices.Equal(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func TestMentions(t *testing.T) {
	for text, want := range map[string]bool{
		"x=$(jq -r .a)": true, "cat | jq": true, "# jq\ntrue": false, "myjq x": false, "./jq": false, "jq.sh": false, "#!/usr/bin/jq -f": true,
	} {
		if got := mentions(text, "jq"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// What a handler lacks is said, and nothing else is.
func TestLacks(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("ok", "#!/bin/sh\n# no python3 here\n", 0o755)
	write("plain", "true", 0o644)
	write("py", "#!/usr/bin/env python3\n", 0o755)
	c := Command{}
	c.Table = []*harness.Harness{host()}
	c.LookPath = func(name string) (string, error) {
		if name == "sh" || name == "gofmt" {
			return "/bin/" + name, nil
		}
		return "", errors.New("none")
	}
	for _, x := range []struct {
		h    manifest.Handler
		want string
	}{
		{manifest.Handler{Argv: []string{"./ok"}}, ""},
		{manifest.Handler{Run: `"$HOST_DIR"/ok && jqx`}, ""},
		{manifest.Handler{Run: "./gone"}, "./gone does not exist"},
		{manifest.Handler{Run: "./plain"}, "not executable"},
		{manifest.Handler{Run: "sh ./plain"}, ""},
		{manifest.Handler{Run: "sh ./gone"}, "./gone does not exist"},
		{manifest.Handler{Argv: []string{"./py"}}, "needs python3"},
		{manifest.Handler{Run: "cat | jq ."}, "needs jq"},
		{manifest.Handler{Argv: []string{"gofmt", "-w", "{file_path}"}}, ""},
		{manifest.Handler{Argv: []string{"prettier"}}, "starts prettier"},
		{manifest.Handler{Run: "[ -f x ] || exit 2"}, ""},
		{manifest.Handler{Run: "$EDITOR x"}, ""},
	} {
		got := strings.Join(c.lacks(root, x.h), "; ")
		if x.want == "" && got != "" && !strings.Contains(got, "cat") || !strings.Contains(got, x.want) {
			t.Errorf("%s: %q, want %q", x.h.Command(), got, x.want)
		}
	}
}

// Nobody fires twice without being told.
func TestOthers(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, ".host"), 0o755); err != nil {
		t.Fatal(err)
	}
	h := host()
	h.Reads = []string{".native/settings.json"}
	c := Command{}
	c.Table, c.UserHome = []*harness.Harness{h}, t.TempDir()
	s := &survey{
		Root: root, Agents: []Agent{{ID: "host", Served: true}}, Sources: []Source{{File: ".native/settings.json", Hooks: 2, Counts: true}},
		Handlers: []Row{{Name: "guard", Command: "./guard"}},
	}
	for text, want := range map[string]string{
		`{"hooks":{"Stop":[{"command":"./guard"}]}}`:                                    "guard stands in .host/hooks.json, too, so it would run twice",
		`{"hooks":{"Stop":[{"command":"./mine"}]}}`:                                     "the host has hooks of its own in .host/hooks.json",
		`{"hooks":{"Stop":[{"command":"/x/lorimer-dispatch"}]}}`:                        "",
		`{"hooks":{"Stop":[{"command":"/x/lorimer-dispatch","args":["--root","/y"]}]}}`: "",
		`{"hooks":{}}`:  "",
		`{"other":[1]}`: "",
	} {
		if err := os.WriteFile(filepath.Join(root, ".host", "hooks.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range c.others(s) {
			got = append(got, x.Text)
		}
		twice := got[len(got)-1]
		if !strings.Contains(twice, "the host reads .native/settings.json by itself, too, so 2 hooks in it would run twice there") {
			t.Errorf("%s: %q", text, got)
		}
		if rest := strings.Join(got[:len(got)-1], "; "); want == "" && rest != "" || !strings.Contains(rest, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestOwnDir(t *testing.T) {
	for file, want := range map[string]string{".a/b/c.js": ".a", ".config/x/y.json": ".config/x", "": "", ".config/x": ""} {
		if got := ownDir(&harness.Harness{Shim: &harness.Shim{User: file}}); got != want {
			t.Errorf("%s: %q", file, got)
		}
	}
}

// The probe runs in the environment that an agent would have, without what makes the dispatcher more lenient.
func TestEnvironment(t *testing.T) {
	t.Setenv("LORIMER_TRUST", "1")
	t.Setenv("LORIMER_DISABLE", "1")
	t.Setenv("SOMETHING", "else")
	c := Command{}
	c.Home = "/state"
	env := c.environment("/mark")
	for v, want := range map[string]bool{
		"LORIMER_TRUST=1": false, "LORIMER_DISABLE=1": true, "SOMETHING=else": true, "LORIMER_HOME=/state": true, "LORIMER_PROBE=/mark": true,
	} {
		if slices.Contains(env, v) != want {
			t.Errorf("%s: %v", v, !want)
		}
	}
}

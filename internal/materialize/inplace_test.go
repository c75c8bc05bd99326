package materialize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inPlace is a clone whose hooks stand in the settings of cob, which speaks the protocol of handlers itself.
func inPlace(t *testing.T, files map[string]string) (clone string, o Options) {
	t.Helper()
	clone, o = setup(t, files)
	o.Table[0].Hooks.Native = true
	o.Only = []string{"cob", "pony"}
	return clone, o
}

const inPlaceHooks = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./gate", "onFailure": "block"}]}],
  "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard", "onFailure": "block", "timeout": 3600}]}]}}`

func TestHooksInPlace(t *testing.T) {
	clone, o := inPlace(t, map[string]string{".cob/settings.json": inPlaceHooks})
	before := tree(t, clone)
	p := materialize(t, clone, o)
	if got, want := paths(p), "create .lorimer/.gitignore, create .pony/extensions/lorimer.js, create .lorimer/manifest.json"; got != want {
		t.Errorf("changes: %s", got)
	}
	if got := read(t, clone, ".cob/settings.json"); got != inPlaceHooks {
		t.Errorf("the settings changed: %s", got)
	}
	if shim := read(t, clone, ".pony/extensions/lorimer.js"); !strings.Contains(shim, `"events":["PreToolUse","Stop"],"fail_closed":["PreToolUse"]`) {
		t.Errorf("the shim: %s", shim)
	}
	m := read(t, clone, ".lorimer/manifest.json")
	for _, part := range []string{
		`"path": ".cob/settings.json"`, `"name": "settings.json:PreToolUse[0].hooks[0]"`, `"matcher": "Bash"`, `"run": "./guard"`, `"on_error": "block"`,
		"\"harnesses\": [\n          \"pony\"\n        ]",
	} {
		if !strings.Contains(m, part) {
			t.Errorf("no %s in the manifest:\n%s", part, m)
		}
	}
	for _, w := range []string{"settings.json:1:86: settings.json:Stop[0].hooks[0]: onFailure", `handler "settings.json:PreToolUse[0].hooks[0]" has 9m55s in Pony`} {
		if !strings.Contains(strings.Join(p.Warnings, "\n"), w) {
			t.Errorf("no %q in the warnings:\n%s", w, strings.Join(p.Warnings, "\n"))
		}
	}
	if p := materialize(t, clone, o); !p.Clean() {
		t.Errorf("a second run changes %s", paths(p))
	}
	clean(t, clone, o)
	same(t, "after clean", tree(t, clone), before)
}

// A host that reads the other one's settings by itself runs these hooks already: through Lorimer they would run twice. What stands
// in a file that it does not read, it gets.
func TestHooksInPlaceThatAnotherHostReads(t *testing.T) {
	clone, o := inPlace(t, map[string]string{".cob/settings.json": inPlaceHooks})
	o.Only = []string{"cob", "mule", "pony"}
	o.Table[1].Reads = []string{".cob/settings.json"}
	p := materialize(t, clone, o)
	if strings.Contains(paths(p), "mule.json") || strings.Contains(read(t, clone, ".lorimer/manifest.json"), `"mule"\n        ]`) {
		t.Errorf("hooks for the reader: %s", paths(p))
	}
	if !p.Harnesses[1].Itself || len(p.Harnesses[1].Events) > 0 {
		t.Errorf("the reader gets %+v", p.Harnesses[1])
	}
	if all := strings.Join(p.Warnings, "\n"); !strings.Contains(all, "Mule runs the hooks of .cob/settings.json, .cob/settings.local.json by itself") || strings.Contains(all, "Pony runs the hooks of") {
		t.Errorf("warnings: %s", all)
	}
	write(t, clone, ".cob/settings.json", "{}")
	write(t, clone, ".cob/settings.local.json", inPlaceHooks)
	if p = materialize(t, clone, o); !strings.Contains(paths(p), "create mule.json") || p.Harnesses[1].Itself {
		t.Errorf("what the reader does not read: %s, %+v", paths(p), p.Harnesses[1])
	}
}

// Claude adds a rule to its local settings while it runs, in its own layout, or makes the file for it: nothing is to be
// refreshed then, and the user's agreement holds.
func TestSettingsThatTheHostWrites(t *testing.T) {
	clone, o := inPlace(t, map[string]string{".cob/settings.json": inPlaceHooks})
	materialize(t, clone, o)
	for _, allowed := range []string{
		`{"permissions": {"allow": ["Bash(go test:*)"]}}`, "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls:*)\"\n    ]\n  }\n}\n",
	} {
		write(t, clone, ".cob/settings.local.json", allowed)
		if p := materialize(t, clone, o); !p.Clean() {
			t.Errorf("changes after %s: %s", allowed, paths(p))
		}
	}
	write(t, clone, ".cob/settings.local.json", `{"permissions": {}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./more"}]}]}}`)
	if p := materialize(t, clone, o); !strings.Contains(paths(p), "update .lorimer/manifest.json") {
		t.Errorf("a hook more changes %s", paths(p))
	}
}

// The local file counts beside the shared one, what is there of Lorimer's is no hook of the user's, and it goes, because the
// host runs the user's hooks itself.
func TestOwnEntriesAreNoSource(t *testing.T) {
	clone, o := inPlace(t, map[string]string{
		".cob/settings.local.json": inPlaceHooks,
		"lorimer.yaml":             "version: 1\nhandlers: [{ name: gate, event: PostToolUse, run: ./gate }]\n",
	})
	materialize(t, clone, o)
	if !strings.Contains(read(t, clone, ".cob/settings.local.json"), DispatcherName) {
		t.Fatal("nothing of ours stands there")
	}
	must(t, os.Remove(filepath.Join(clone, "lorimer.yaml")))
	materialize(t, clone, o)
	if got := read(t, clone, ".cob/settings.local.json"); got != inPlaceHooks {
		t.Errorf("the settings: %s", got)
	}
	if m := read(t, clone, ".lorimer/manifest.json"); strings.Contains(m, DispatcherName) || !strings.Contains(m, "settings.local.json:Stop") || strings.Contains(m, "PostToolUse") {
		t.Errorf("the manifest: %s", m)
	}
	if p := materialize(t, clone, o); !p.Clean() {
		t.Errorf("a second run changes %s", paths(p))
	}
}

func TestDisableAllHooks(t *testing.T) {
	for name, c := range map[string]struct {
		shared, local string
		handlers      bool
	}{
		"shared":               {`{"disableAllHooks": true,` + inPlaceHooks[1:], ``, false},
		"local":                {inPlaceHooks, `{"disableAllHooks": true}`, false},
		"local overrules":      {`{"disableAllHooks": true,` + inPlaceHooks[1:], `{"disableAllHooks": false}`, true},
		"a file that is void":  {inPlaceHooks, `{"disableAllHooks": "true"}`, true},
		"the other file alone": {`{"disableAllHooks": false}`, inPlaceHooks, true},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{".cob/settings.json": c.shared}
			if c.local != "" {
				files[".cob/settings.local.json"] = c.local
			}
			clone, o := inPlace(t, files)
			p := materialize(t, clone, o)
			if got := strings.Contains(read(t, clone, ".lorimer/manifest.json"), "./guard"); got != c.handlers {
				t.Errorf("handlers: %v; warnings %q", got, p.Warnings)
			}
		})
	}
}

// Claude runs no hook whose matcher is no regular expression, and all others. Where a matcher has no effect, it may be anything.
func TestMatcherThatIsNone(t *testing.T) {
	clone, o := inPlace(t, map[string]string{".cob/settings.json": `{"hooks": {"PreToolUse": [{"matcher": "(?i)x", "hooks": [{"type": "command", "command": "never"}]},
		{"matcher": "^(?!x)", "hooks": [{"type": "command", "command": "look"}]}], "Stop": [{"matcher": "[", "hooks": [{"type": "command", "command": "stop"}]}]}}`})
	warnings := strings.Join(materialize(t, clone, o).Warnings, "\n")
	want := ".cob/settings.json:1:39: the matcher of settings.json:PreToolUse[0].hooks[0] is no regular expression: unknown kind of group at character 2; Claude never runs it, so no other agent does"
	if !strings.Contains(warnings, want) || strings.Count(warnings, "regular expression") != 1 {
		t.Errorf("warnings: %s", warnings)
	}
	m := read(t, clone, ".lorimer/manifest.json")
	for command, is := range map[string]bool{"never": false, "look": true, "stop": true} {
		if strings.Contains(m, `"`+command+`"`) != is {
			t.Errorf("%s: want %t in %s", command, is, m)
		}
	}
}

// A harness that would run the hooks anyway is no reason to do anything, and that is said.
func TestOnlyTheNativeHarness(t *testing.T) {
	clone, o := inPlace(t, map[string]string{".cob/settings.json": inPlaceHooks})
	o.Only = []string{"cob"}
	if w := strings.Join(materialize(t, clone, o).Warnings, "\n"); !strings.Contains(w, "Cob runs these hooks by itself, and no other coding agent is found") {
		t.Errorf("warnings: %s", w)
	}
}

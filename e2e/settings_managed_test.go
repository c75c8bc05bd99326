//go:build linux

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

const (
	managedFile  = "claude-code/managed-settings.json"
	managedMore  = "claude-code/managed-settings.d/10-more.json"
	managedOther = "claude-code/managed-settings.d/20-other.json"
)

// managedCases are machines that an organization has set up; files are below /etc.
var managedCases = []struct {
	settingsCase
	files map[string]string
}{
	{settingsCase{name: "beside all others, and a folder of more", shared: `{"hooks":{"Stop":[{"hooks":[{<a>},{<b>}]}]}}`, want: "a a b c d e"}, map[string]string{
		managedFile: `{"hooks":{"Stop":[{"hooks":[{<a>},{<c>}]}]}}`, managedMore: `{"hooks":{"Stop":[{"hooks":[{<d>}]}]}}`, managedOther: `{"hooks":{"Stop":[{"hooks":[{<e>}]}]}}`,
		"claude-code/managed-settings.d/.hidden.json": `{"hooks":{"Stop":[{"hooks":[{<f>}]}]}}`, "claude-code/managed-settings.d/x.txt": `{"hooks":{"Stop":[{"hooks":[{<g>}]}]}}`}},
	{settingsCase{name: "equal groups are one", shared: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, want: "a"}, map[string]string{
		managedFile: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`}},
	{settingsCase{name: "disabled for the machine", shared: `{"disableAllHooks":false,"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`, want: ""}, map[string]string{
		managedFile: `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`}},
	{settingsCase{name: "a project cannot disable those of the machine", shared: `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`, want: "a"}, map[string]string{
		managedFile: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`}},
	{settingsCase{name: "the machine's word is the last, also for no", local: `{"disableAllHooks":true}`, shared: `{"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`, want: "a b"}, map[string]string{
		managedFile: `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{<a>}]}]}}`, managedMore: `{"disableAllHooks":false}`}},
	{settingsCase{name: "no other hooks", user: `{"hooks":{"Stop":[{"hooks":[{<c>}]}]}}`, shared: `{"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`, want: "a"}, map[string]string{
		managedFile: `{"allowManagedHooksOnly":false}`, managedMore: `{"allowManagedHooksOnly":"anything","hooks":{"Stop":[{"hooks":[{<a>}]}]}}`}},
	{settingsCase{name: "what is wrong goes alone, but for what is strict", shared: `{"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`, want: "a d"}, map[string]string{
		managedFile: `{"permissions":5,"disableAllHooks":"true","allowManagedHooksOnly":null,"hooks":{"Stop":[{"hooks":[{<c>,"timeout":0},{<a>}]}],"SessionStart":5}}`,
		managedMore: `{"hooks":5}`, managedOther: `{"hooks":{"Nonsense":5,"Stop":[{"hooks":[{<d>}]}]}}`,
		"claude-code/managed-settings.d/30.json": `{"allowManagedHooksOnly":true,"hooks":{"PreToolUse":[{"hooks":[{<e>,"timeout":0}]}],"Stop":[{"hooks":[{<f>}]}]}}`}},
}

// TestManagedSettings holds what Claude makes of the settings of an organization, and that the other hosts run the same.
func TestManagedSettings(t *testing.T) {
	need(t)
	for _, c := range managedCases {
		for _, h := range rig.Hosts {
			t.Run(c.name+"/"+h.ID, func(t *testing.T) {
				t.Parallel()
				got, o := c.run(t, h, organized(c.files), materializeUsers)
				if got != c.want {
					t.Errorf("ran %q, want %q", got, c.want)
				}
				if err := exits(0).test(o); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// organized puts the files below the /etc that the rig's programs see.
func organized(files map[string]string) func(context.Context, *rig.Rig) error {
	return func(_ context.Context, r *rig.Rig) error {
		full := map[string]string{}
		for path, text := range files {
			full[path] = filled(text)
		}
		return r.Etc(full)
	}
}

// Claude does not start with these, so nothing is made of them for other agents either.
var refusedFiles = map[string]map[string]string{
	"no JSON":                   {managedFile: `{"hooks":{"Stop":[{"hooks":[{<a>}]}]},}`},
	"no JSON among others":      {managedFile: `{}`, managedMore: `[]`},
	"an invalid hook of a tool": {managedFile: `{"hooks":{"PreToolUse":[{"hooks":[{<a>,"timeout":0}]}],"Stop":[{"hooks":[{<a>}]}]}}`},
}

func TestManagedSettingsThatAreRefused(t *testing.T) {
	need(t)
	for name, files := range refusedFiles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said error
			s := settingsCase{shared: `{"hooks":{"Stop":[{"hooks":[{<b>}]}]}}`}
			got, o := s.run(t, rig.Claude, organized(files), func(ctx context.Context, r *rig.Rig) error {
				said = materializeAll(ctx, r)
				return nil
			})
			if got != "" || o.exit.Code != 1 {
				t.Errorf("Claude ran %q and exits with %d", got, o.exit.Code)
			}
			if said == nil || !strings.Contains(said.Error(), "/etc/claude-code/managed-settings.") || !strings.Contains(said.Error(), "Claude does not start with it") {
				t.Errorf("lorimer materialize says: %v", said)
			}
		})
	}
}

// TestEnvOfSettings holds what Claude gives to its hooks from the env of its settings, and that other agents' hooks get the same.
func TestEnvOfSettings(t *testing.T) {
	need(t)
	for _, h := range rig.Hosts {
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			o := &outcome{mode: h.Modes[0]}
			o.Rig = bareWorld(t, h, fakemodel.Steps(fakemodel.Say("done")))
			o.Extra = []string{"V_HOST=host", "V_OVER=host"}
			tools := filepath.Join(o.Clone, "tools")
			must(t, os.MkdirAll(tools, 0o755), os.Symlink("../hooks/handler", filepath.Join(tools, "onpath")))
			for file, text := range map[string]string{
				filepath.Join(o.Home, settings): `{"env":{"V_USER":"user","V_ALL":"user","V_UP":"user","XDG_DATA_HOME":"user"}}`,
				filepath.Join(o.Clone, settings): `{"env":{"PATH":"` + tools + `:/usr/bin:/bin","V_ALL":"shared","V_UP":"shared","V_SL":"shared","V_OVER":"","V_RAW":"$HOME ${HOME} ~",` +
					`"V_NUMBER":1.50,"V_BIG":1e21,"V_YES":true,"V_NULL":null,"V_LIST":[1,null,"x"],"V_OBJECT":{},"HOME":"/no","home":"/no","TMPDIR":"/no","XDG_CACHE_HOME":"/no","CLAUDE_PROJECT_DIR":"/no"},
					"hooks":{"Stop":[{"hooks":[{"type":"command","command":"onpath","args":["a"]},{"type":"command","command":"onpath b"}]}]}}`,
				filepath.Join(o.Clone, ".claude", "settings.local.json"): `{"env":{"V_ALL":"local","V_SL":"local"}}`,
			} {
				must(t, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644))
			}
			must(t, o.Etc(map[string]string{
				managedFile: filled(`{"env":{"V_ALL":"machine","V_MACHINE":"machine"},"hooks":{"Stop":[{"hooks":[{<c>}]}]}}`), managedMore: `{"env":{"V_MACHINE":"more"}}`,
			}), materializeUsers(ctx, o.Rig), once(ctx, o, rig.Options{}))
			all := map[string]string{
				"V_HOST": "host", "V_USER": "user", "V_ALL": "machine", "V_MACHINE": "more", "V_UP": "shared", "V_SL": "local", "V_OVER": "", "V_RAW": "$HOME ${HOME} ~",
				"V_NUMBER": "1.5", "V_BIG": "1e+21", "V_YES": "true", "V_NULL": "null", "V_LIST": "1,,x", "V_OBJECT": "[object Object]",
				"XDG_DATA_HOME": "user", "XDG_CACHE_HOME": "", "HOME": o.Home, "home": "", "TMPDIR": filepath.Join(o.Dir, "tmp"), "CLAUDE_PROJECT_DIR": o.Clone,
			}
			ofMachine := map[string]string{"V_HOST": "host", "V_OVER": "host", "V_USER": "user", "V_UP": "user", "V_ALL": "machine", "V_MACHINE": "more", "V_SL": "", "V_YES": ""}
			for label, want := range map[string]map[string]string{"a": all, "b": all, "c": ofMachine} {
				calls := o.Calls(label)
				if len(calls) != 1 {
					t.Errorf("%s ran %d times", label, len(calls))
					continue
				}
				for name, value := range want {
					if got := calls[0].Env[name]; got != value {
						t.Errorf("%s has %s=%q, want %q", label, name, got, value)
					}
				}
			}
		})
	}
}

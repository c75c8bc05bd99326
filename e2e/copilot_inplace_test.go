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

// Hooks that somebody has in Claude's settings are run by Copilot itself. Lorimer leaves them to it, with handlers of its own or
// without, so each of them fires once for each event.
func TestHooksOfClaudesSettingsFireOnceInCopilot(t *testing.T) {
	const fires = "#!/bin/sh\ncat >/dev/null\necho \"$1\" >>\"$E2E/fired\"\n"
	const theirs = `{"hooks":{
		"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./hooks/fires theirs-tool"}]}],
		"Stop":[{"hooks":[{"type":"command","command":"./hooks/fires theirs-stop"}]}]}}`
	for name, yaml := range map[string]string{
		"alone":                 "",
		"beside a lorimer.yaml": "version: 1\nharnesses: [copilot]\nhandlers:\n  - { name: mine, event: PreToolUse, argv: [./hooks/fires, mine-tool] }\n",
	} {
		t.Run(name, func(t *testing.T) {
			need(t)
			t.Parallel()
			o := &outcome{mode: rig.Copilot.Modes[0]}
			var err error
			o.Rig, err = rig.New(rig.Config{Install: install, Bin: bin, Host: rig.Copilot, YAML: yaml, NoYAML: yaml == "",
				Script: fakemodel.Steps(fakemodel.Use("bash", map[string]any{"command": "true", "description": "d"}), fakemodel.Say("done")),
				Files:  map[string]string{"hooks/fires": fires, settings: theirs}})
			must(t, err)
			t.Cleanup(func() { must(t, o.Rig.Close()) })
			ctx, cancel := context.WithTimeout(t.Context(), patience(rig.Copilot))
			defer cancel()
			_, err = o.Lorimer(ctx, "materialize", o.Clone, "--harness", "copilot")
			must(t, err, once(ctx, o, rig.Options{}), exits(0).test(o))
			fired, err := os.ReadFile(filepath.Join(o.Dir, "e2e", "fired"))
			must(t, err)
			want := map[string]int{"theirs-tool": 1, "theirs-stop": 1, "mine-tool": 0}
			if yaml != "" {
				want["mine-tool"] = 1
			}
			for hook, n := range want {
				if got := strings.Count(string(fired), hook+"\n"); got != n {
					t.Errorf("%s fired %d times, want %d:\n%s", hook, got, n, fired)
				}
			}
			left, err := os.ReadFile(filepath.Join(o.Clone, settings))
			must(t, err)
			if string(left) != theirs {
				t.Errorf("Claude's settings were edited:\n%s", left)
			}
		})
	}
}

//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// The user's own settings hold our entries too: as they stand in the project's, or without the clone's name, as entries have
// to be that serve every clone. Claude starts an equal entry once and the other one twice; the handlers run once.
func TestUserAndProjectSettings(t *testing.T) {
	for name, c := range map[string]struct {
		args    func(args []any) []any
		noClaim bool
		times   int
	}{
		"the same entry":                       {func(args []any) []any { return args }, false, 1},
		"an entry that names no clone":         {withoutRoot, false, 1},
		"that one, and nothing can be claimed": {withoutRoot, true, 2}, // which shows that it is the claim
	} {
		t.Run(name, func(t *testing.T) {
			ctx, o := claude(t, fakemodel.Steps(fakemodel.Use("Bash", map[string]string{"command": "true"}), fakemodel.Say("done")))
			// Two stops in a row, which differ in the bit alone.
			must(t, o.Answer("Stop", `[ "$nth" -le 1 ] && block "once more"`))
			project, err := os.ReadFile(filepath.Join(o.Clone, ".claude", "settings.local.json"))
			must(t, err, os.MkdirAll(filepath.Join(o.Home, ".claude"), 0o700),
				os.WriteFile(filepath.Join(o.Home, settings), []byte(withArgs(t, project, c.args)), 0o600))
			checks := []check{exits(0)}
			if c.noClaim {
				claims := filepath.Join(o.Home, ".local", "state", "lorimer", "claims")
				must(t, os.WriteFile(claims, nil, 0o600))
				checks = append(checks, dispatched("PreToolUse", c.times), dispatched("SessionStart", c.times))
			} else {
				checks = append(checks, quiet(), dispatched("SessionStart", 1), dispatched("UserPromptSubmit", 1),
					dispatched("PreToolUse", 1), dispatched("PostToolUse", 1), dispatched("Stop", 2), dispatched("SessionEnd", 1))
			}
			verify(ctx, t, o, checks...)
		})
	}
}

// withoutRoot takes --root and its value away.
func withoutRoot(args []any) []any {
	i := slices.Index(args, any("--root"))
	return slices.Delete(slices.Clone(args), i, i+2)
}

// withArgs changes the arguments of every entry of a settings file.
func withArgs(t *testing.T, src []byte, change func([]any) []any) string {
	t.Helper()
	var s struct {
		Hooks map[string][]struct {
			Hooks []map[string]any `json:"hooks"`
		} `json:"hooks"`
	}
	must(t, json.Unmarshal(src, &s))
	for _, groups := range s.Hooks {
		for _, g := range groups {
			for _, entry := range g.Hooks {
				entry["args"] = change(entry["args"].([]any))
			}
		}
	}
	out, err := json.Marshal(s)
	must(t, err)
	if !strings.Contains(string(out), "lorimer-dispatch") {
		t.Fatalf("no entry of ours: %s", src)
	}
	return string(out)
}

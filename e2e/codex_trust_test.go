//go:build linux

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// What Codex was not told to trust it passes over without a word. So Lorimer says it: when it writes, and whenever it is asked.
// With --trust Codex itself is told, and an event that comes later voids nothing of that.
func TestCodexTrust(t *testing.T) {
	need(t)
	t.Parallel()
	o := &outcome{mode: rig.Codex.Modes[0]}
	o.Rig = world(t, rig.Codex, fakemodel.Steps(fakemodel.Say("done")), "version: 1\nharnesses: [codex]\nhandlers:\n"+
		"  - { name: stop, event: Stop, argv: [./hooks/handler, Stop] }\n")
	config := filepath.Join(o.Home, ".codex", "config.toml")
	src, err := os.ReadFile(config)
	must(t, err, os.WriteFile(config, append(src, "\n# mine\n[hooks.state.\"/elsewhere:stop:0:0\"]\ntrusted_hash = \"sha256:00\"\n"...), 0o600))
	own := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"touch \"$E2E/own\""}]}]}}`
	must(t, os.WriteFile(filepath.Join(o.Home, ".codex", "hooks.json"), []byte(own), 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)

	out, err := o.Lorimer(ctx, "materialize", o.Clone)
	must(t, err)
	tells(t, "materialize", out, "lorimer materialize --trust")
	out, _ = o.Lorimer(ctx, "status", o.Clone)
	tells(t, "status", out, "Codex does not trust 1 of 1 hooks", "lorimer materialize --trust")
	o.run(ctx, t)
	o.holds(t, exits(0), dispatched("Stop", 0))

	out, err = o.Lorimer(ctx, "materialize", "--trust", o.Clone)
	must(t, err)
	tells(t, "--trust", out, "Codex: trusts 1 hook more now")
	_, err = o.Lorimer(ctx, "status", o.Clone)
	must(t, err)
	o.run(ctx, t)
	o.holds(t, exits(0), dispatched("Stop", 1), check{what: "what Lorimer did not write is not trusted", test: func(o *outcome) error {
		if _, err := os.Stat(filepath.Join(o.Dir, "e2e", "own")); err == nil {
			return fmt.Errorf("the user's other hook ran")
		}
		return nil
	}})
	src, err = os.ReadFile(config)
	must(t, err)
	tells(t, "config.toml", string(src), "# mine", `[hooks.state."/elsewhere:stop:0:0"]`)

	// One event more, and one handler more on an event that is there: what was trusted is trusted still.
	must(t, os.WriteFile(filepath.Join(o.Clone, "lorimer.yaml"), []byte("version: 1\nharnesses: [codex]\nhandlers:\n"+
		"  - { name: start, event: SessionStart, argv: [./hooks/handler, SessionStart] }\n"+
		"  - { name: stop, event: Stop, argv: [./hooks/handler, Stop], timeout: 10s }\n"+
		"  - { name: more, event: Stop, argv: [./hooks/handler, More] }\n"), 0o600))
	_, err = o.Lorimer(ctx, "materialize", o.Clone)
	must(t, err)
	out, _ = o.Lorimer(ctx, "status", o.Clone)
	tells(t, "status", out, "Codex does not trust 1 of 2 hooks", "codex SessionStart start NOT IN FORCE: Codex does not trust it", "codex Stop stop in force ran 1 times")
	o.run(ctx, t)
	o.holds(t, exits(0), dispatched("Stop", 2), dispatched("More", 1), dispatched("SessionStart", 0))
}

// tells fails the test where one of the words is not in the text.
func tells(t *testing.T, what, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), w) {
			t.Errorf("%s does not say %q:\n%s", what, w, text)
		}
	}
}

// A linked worktree has a policy of its own, and Codex reads none of its files: it takes the main checkout's. So hooks go into
// the user's own file, which finds the clone that the session is in; into a worktree's they are not put.
func TestCodexInALinkedWorktree(t *testing.T) {
	need(t)
	t.Parallel()
	o := &outcome{mode: rig.Codex.Modes[0]}
	o.Rig = world(t, rig.Codex, fakemodel.Steps(fakemodel.Say("done")), rig.Handlers())
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	tree := filepath.Join(o.Home, "tree")
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."}, {"-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "-q", "-m", "x"}, {"worktree", "add", "-q", tree},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir, cmd.Env = o.Clone, []string{"HOME=" + o.Home, "PATH=/usr/bin:/bin"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if out, err := o.Lorimer(ctx, "materialize", "--scope", "project", tree); err == nil || !strings.Contains(out, "linked worktree") {
		t.Errorf("into a worktree: %v\n%s", err, out)
	}
	_, err := o.Lorimer(ctx, "materialize", "--trust", tree)
	must(t, err)
	o.run(ctx, t, "-C", tree)
	o.holds(t, exits(0), dispatched("Stop", 1), field("Stop", 0, is(tree), "cwd"), check{what: "the worktree's policy", test: func(o *outcome) error {
		return same(o.Calls("Stop")[0].Env["CLAUDE_PROJECT_DIR"], tree)
	}})
	o.run(ctx, t)
	o.holds(t, exits(0), dispatched("Stop", 1)) // the main checkout was not materialized

	// The fact: the main checkout's file, and not the worktree's own.
	hooks := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"touch \"$E2E/%s\""}]}]}}`
	for dir, name := range map[string]string{o.Clone: "main", tree: "linked"} {
		must(t, os.MkdirAll(filepath.Join(dir, ".codex"), 0o700),
			os.WriteFile(filepath.Join(dir, ".codex", "hooks.json"), fmt.Appendf(nil, hooks, name), 0o600))
	}
	config := filepath.Join(o.Home, ".codex", "config.toml")
	src, err := os.ReadFile(config)
	must(t, err, os.WriteFile(config, fmt.Appendf(src, "\n[projects.%q]\ntrust_level = \"trusted\"\n", o.Clone), 0o600))
	o.run(ctx, t, "-C", tree, "--dangerously-bypass-hook-trust")
	_, main := os.Stat(filepath.Join(o.Dir, "e2e", "main"))
	_, linked := os.Stat(filepath.Join(o.Dir, "e2e", "linked"))
	if main != nil || linked == nil {
		t.Errorf("the main checkout's hook ran: %v; the worktree's: %v\n%s", main == nil, linked == nil, o.exit.Stderr)
	}
}

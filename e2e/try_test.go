//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// predicted is what `lorimer try --json` says of one agent.
type predicted struct {
	Verdict string
	Reads   []struct{ Who, What, Text string }
}

// tryIn asks lorimer try what one agent would do.
func tryIn(t *testing.T, ctx context.Context, r *rig.Rig, words ...string) predicted {
	t.Helper()
	out, err := r.Lorimer(ctx, append([]string{"try", "--json", "--harness", r.Host.ID}, words...)...)
	var report struct{ Agents []predicted }
	if json.Unmarshal([]byte(out), &report) != nil || len(report.Agents) != 1 {
		t.Fatalf("lorimer try: %v: %s", err, out)
	}
	return report.Agents[0]
}

// What lorimer try says an agent would do is what the real one does: whether the tool runs, with which input, and each text
// that its model gets to read.
func TestTryTellsTheTruth(t *testing.T) {
	need(t)
	say := func(specific string) string {
		return `echo '{"hookSpecificOutput":{` + specific + `}}'`
	}
	for name, c := range map[string]struct {
		event, run string
		verdict    string
		what       string // the reading that has to be predicted, and has to come true
		ran        string // the file that the tool made
	}{
		"allows":  {"PreToolUse", "true", "allowed", "", "asked"},
		"blocks":  {"PreToolUse", "echo wrong-door >&2; exit 2", "blocked", "reason", ""},
		"denies":  {"PreToolUse", say(`"permissionDecision":"deny","permissionDecisionReason":"wrong-door"`), "blocked", "reason", ""},
		"context": {"PreToolUse", say(`"additionalContext":"mind-the-gap"`), "allowed", "context", "asked"},
		"rewrite": {"PreToolUse", `sed -E 's/.*/{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"touch other"}}}/'`, "allowed", "input", "other"},
		"after":   {"PostToolUse", say(`"additionalContext":"well-done"`), "allowed", "context", "asked"},
		"holds":   {"Stop", `grep -q '"stop_hook_active":true' || { echo not-so-fast >&2; exit 2; }`, "blocked", "reason", "asked"},
		"fails":   {"PreToolUse", "exit 7", "allowed", "", "asked"},
	} {
		for _, h := range rig.Hosts {
			t.Run(name+"/"+h.ID, func(t *testing.T) {
				t.Parallel()
				o := &outcome{mode: h.Modes[0]}
				yaml, err := json.Marshal(map[string]any{"version": 1, "harnesses": []string{h.ID}, "handlers": []any{
					map[string]string{"name": "h", "event": c.event, "run": c.run},
				}})
				must(t, err)
				o.Rig = world(t, h, fakemodel.Steps(
					fakemodel.Use(h.Shell, map[string]any{"command": "touch asked"}), fakemodel.Say("one"), fakemodel.Say("two"),
				), string(yaml))
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				must(t, materialize(ctx, o.Rig))
				words := []string{c.event}
				if c.event != "Stop" {
					words = append(words, "Bash", "touch asked")
				}
				p := tryIn(t, ctx, o.Rig, words...)
				if out, err := o.Lorimer(ctx, "last"); err != nil || !strings.Contains(out, "no hook has been dispatched yet") {
					t.Errorf("it left something: %s, %v", out, err)
				}
				must(t, once(ctx, o, rig.Options{}), exits(0).test(o))
				if p.Verdict != c.verdict {
					t.Errorf("the verdict is %s, want %s", p.Verdict, c.verdict)
				}
				for _, file := range []string{"asked", "other"} {
					if _, err := os.Stat(filepath.Join(o.Clone, file)); (err == nil) != (file == c.ran) {
						t.Errorf("%s: %v", file, err)
					}
				}
				told := c.what == ""
				for _, r := range p.Reads {
					told = told || r.What == c.what && r.Who == "model"
					if r.What != "input" && !strings.Contains(o.Model.Requests().Text(), r.Text) {
						t.Errorf("the model never read the %s %q", r.What, r.Text)
					}
				}
				if !told || c.what == "" && len(p.Reads) > 0 {
					t.Errorf("it reads %v, want %q", p.Reads, c.what)
				}
			})
		}
	}
}

//go:build linux

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// TestTheGremlinsSkillInTheRealClaude: the skill document is found, is read when the model asks for it, and what it tells to do first
// is done, on a platform where gremlins cannot be used: `where` exits 2.
func TestTheGremlinsSkillInTheRealClaude(t *testing.T) {
	need(t)
	t.Parallel()
	skill, err := os.ReadFile("../templates/skills/gremlins/SKILL.md")
	must(t, err)
	r := world(t, rig.Claude, fakemodel.Steps(
		fakemodel.Use("Skill", map[string]any{"skill": "gremlins"}), inBash("WSL_DISTRO_NAME=Ubuntu lorimer gremlins where; echo exit $?"), fakemodel.Say("Then fresh agents."),
	), "")
	for file, text := range map[string]string{
		filepath.Join(r.Clone, ".claude/skills/gremlins/SKILL.md"): string(skill),
		filepath.Join(r.Home, settings):                            `{"permissions":{"allow":["Skill(gremlins)"]}}`, // the project's own count once it is trusted
	} {
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o644))
	}
	r.Extra = []string{"PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin"}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	p, err := r.Start(rig.Options{Prompt: "Steer a build."})
	must(t, err)
	exit, err := p.Wait(ctx)
	must(t, err)
	asked := r.Model.Requests()
	if exit.Code != 0 || len(asked) != 3 {
		t.Fatalf("exit %d, %d requests: %s", exit.Code, len(asked), exit.Stderr)
	}
	if text := asked[0].Text(); !strings.Contains(text, "gremlins: Trains one headless session (the base) per build") || strings.Contains(text, "## Waiting") {
		t.Errorf("what it knows of the skill at first:\n%s", text)
	}
	_, body, _ := strings.Cut(string(skill), "\n---\n")
	if text := asked[1].Text(); !strings.Contains(text, strings.TrimSpace(body)) {
		t.Errorf("the skill was not read whole:\n%s", text)
	}
	said := newest(asked[2])
	if !strings.Contains(said, "exit 2") || !strings.Contains(said, `"ok": false`) {
		t.Errorf("where said:\n%s", said)
	}
	if !strings.Contains(said, "this is linux, WSL. Use fresh agents for every block") {
		t.Errorf("where gives another reason:\n%s", said)
	}
}

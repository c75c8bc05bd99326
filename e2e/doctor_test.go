//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/doctor"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// TestEveryAgentIsProvenAtOnce: somebody who has one agent beside Claude Code is told its version, and each hook of theirs is
// proven by the probe. The doctor then runs the agent, and tells one that obeys hooks from one that does not: that is the doctor's
// own doing, and costs four runs, so that one agent shows it; LORIMER_E2E_ALL=1 has all do.
func TestEveryAgentIsProvenAtOnce(t *testing.T) {
	need(t)
	for _, h := range rig.Cased {
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 2*patience(h))
			defer cancel()
			c := rig.Config{Install: install, Bin: bin, Host: h, Script: fakemodel.Steps(), NoYAML: true, Files: newcomer}
			if h == rig.Claude { // whose own settings it runs itself
				c.NoYAML, c.YAML = false, "version: 1\nharnesses: [claude]\nhandlers:\n  - { name: gate, event: Stop, run: ./run-tests, on_error: block }\n"
			}
			r, err := rig.New(c)
			must(t, err)
			t.Cleanup(func() { must(t, r.Close()) })
			out := initiate(t, ctx, r, "--yes")
			if !regexp.MustCompile(`\(proven\) +`+agents(r)+"/"+h.ID).MatchString(out) || strings.Contains(out, "NOT PROVEN") {
				t.Errorf("lorimer init:\n%s", out)
			}
			if h != rig.Pi && os.Getenv("LORIMER_E2E_ALL") == "" {
				return
			}
			if ok, problems := live(t, ctx, r); ok < 3 || len(problems) > 0 {
				t.Errorf("the pinned one: %d hold, problems: %q", ok, problems)
			}
			onPath(t, r, "exit 0")
			if ok, problems := live(t, ctx, r); ok > 0 || len(problems) < 3 {
				t.Errorf("a program that does nothing: %d hold, problems: %q", ok, problems)
			}
		})
	}
}

// live runs lorimer doctor --live, and returns how many cases held and which did not.
func live(t *testing.T, ctx context.Context, r *rig.Rig) (ok int, problems []string) {
	t.Helper()
	out, err := user(ctx, r, "doctor", "--live", "--json", r.Host.ID).Output()
	var report doctor.Report
	if json.Unmarshal(out, &report) != nil {
		t.Fatalf("%v\n%s%s", err, out, stderrOf(err))
	}
	for _, f := range report.Findings {
		switch {
		case f.Check == doctor.Live && f.Level == doctor.OK:
			ok++
		case f.Check == doctor.Live && f.Level == doctor.Problem:
			problems = append(problems, strings.ToValidUTF8(f.What, "?"))
		}
	}
	return ok, problems
}

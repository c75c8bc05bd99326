//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/doctor"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// TestDoctorLive: the doctor runs the agent that is installed, and tells one that obeys hooks from one that does not.
func TestDoctorLive(t *testing.T) {
	need(t)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	r, err := rig.New(rig.Config{Install: install, Bin: bin, Host: rig.Pi, Script: fakemodel.Steps(), NoYAML: true, Files: newcomer})
	must(t, err)
	t.Cleanup(func() { must(t, r.Close()) })
	initiate(t, ctx, r, "--yes")
	if ok, problems := live(t, ctx, r); ok != 4 || len(problems) > 0 {
		t.Errorf("the pinned one: %d hold, problems: %q", ok, problems)
	}
	onPath(t, r, "exit 0")
	if ok, problems := live(t, ctx, r); ok > 0 || len(problems) < 3 {
		t.Errorf("a program that does nothing: %d hold, problems: %q", ok, problems)
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

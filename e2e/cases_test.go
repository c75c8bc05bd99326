//go:build linux

package e2e

import (
	"cmp"
	"context"
	"os"
	"slices"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// testCase is one story: what the handlers answer, what the model says, how the host is run, and what must hold then.
type testCase struct {
	name    string
	ending  bool              // the run ends in a way of its own, which each format has to show or to bear
	writes  bool              // the host needs a tool that writes a file
	yaml    []string          // more lines of lorimer.yaml
	answers map[string]string // per event: what the handler does (handler.sh); nothing = no opinion
	script  *story
	drive   func(context.Context, *outcome) error // nil = once
	exit    func(*outcome) int                    // nil = 0
	loud    []string                              // what may stand on standard error
	ends    func(*outcome) int                    // how often SessionEnd comes; nil = once a session
	opened  int                                   // sessions; 0 = one
	checks  []check

	// Where the host does not carry this effect, otherwise is what must hold instead of checks.
	event     harness.Event
	effect    harness.Effect
	otherwise []check
}

// story is what the model says. Cases of one story differ in what handlers answer, and so not at all where there are none.
type story struct {
	script func(*outcome) fakemodel.Script
}

func told(script func(*outcome) fakemodel.Script) *story { return &story{script} }

// The stories that several cases tell.
var (
	saysDone = told(func(*outcome) fakemodel.Script { return fakemodel.Steps(fakemodel.Say("done")) })
	removes  = told(func(o *outcome) fakemodel.Script {
		return fakemodel.Steps(shell(o, "rmdir hooks/victim"), fakemodel.Say("done"))
	})
	echoes = told(func(o *outcome) fakemodel.Script {
		return fakemodel.Steps(shell(o, "echo ran"), fakemodel.Say("done"))
	})
	writes = told(func(o *outcome) fakemodel.Script {
		input := map[string]any{o.Host.WritePath: written(o), cmp.Or(o.Host.WriteText, "content"): "text — 🐎\n"}
		return fakemodel.Steps(fakemodel.Use(o.Host.Write, input), fakemodel.Say("done"))
	})
)

// held are the checks that hold on the host, beside the standing ones.
func (c testCase) held(h *rig.Host) []check {
	if c.effect == "" || can(h, c.event, c.effect) {
		return c.checks
	}
	return c.otherwise
}

// cases are all of them.
var cases = slices.Concat(promptCases, toolCases, effectCases, stopCases, endCases)

// TestCases runs every case on every host in every mode, with Lorimer in the project.
func TestCases(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			some(t, c.hosts(), c.modes, func(t *testing.T, h *rig.Host, mode string) {
				o, err := c.run(t, h, mode, materialize)
				if err != nil {
					t.Fatal(err)
				}
				for _, k := range append(c.standing(o), c.held(h)...) {
					if err := k.test(o); err != nil {
						t.Errorf("%s:\n%v", k.what, err)
					}
				}
			})
		})
	}
}

// TestNegativeControl runs the same cases in a project that Lorimer has been taken out of: a check that holds there proves
// nothing about Lorimer. No handler answers there, so cases of one story are one run, which each of them looks at.
func TestNegativeControl(t *testing.T) {
	for _, same := range byStory(cases) {
		c := same[0]
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			some(t, c.hosts(), plainest, func(t *testing.T, h *rig.Host, mode string) {
				o, err := c.run(t, h, mode, materialize, clean)
				if err != nil {
					t.Fatal(err)
				}
				if got := labels(o); len(got) != 0 {
					t.Errorf("still dispatched: %v", got)
				}
				for _, c := range same {
					t.Run(c.name, func(t *testing.T) { c.proveNothing(t, o) })
				}
			})
		})
	}
}

// proveNothing makes the case's checks of a run without Lorimer.
func (c testCase) proveNothing(t *testing.T, o *outcome) {
	for _, k := range append(c.standing(o), c.held(o.Host)...) {
		if err := k.test(o); (err == nil) != k.anyway {
			t.Errorf("without Lorimer, %s: %v; expected to hold: %v", k.what, err, k.anyway)
		}
	}
}

// byStory groups the cases that are asked the same, in the order of the first of each.
func byStory(all []testCase) (groups [][]testCase) {
	for _, c := range all {
		i := slices.IndexFunc(groups, func(g []testCase) bool { return g[0].script == c.script })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// hosts are those that the case runs on.
func (c testCase) hosts() []*rig.Host {
	return slices.DeleteFunc(slices.Clone(rig.Cased), func(h *rig.Host) bool { return c.writes && h.Write == "" })
}

// modes are those that the case runs in: all but formats of output that have nothing to do with it, unless
// LORIMER_E2E_ALL=1 asks for them.
func (c testCase) modes(h *rig.Host) []string {
	if c.ending || os.Getenv("LORIMER_E2E_ALL") == "1" {
		return h.Modes
	}
	return slices.DeleteFunc(slices.Clone(h.Modes), func(mode string) bool { return slices.Contains(h.Formats, mode) })
}

// plainest is the mode of the negative control: what it holds of checks, it holds in each mode.
func plainest(h *rig.Host) []string { return h.Modes[:1] }

// run makes the case's world, prepares it, runs the host and returns what came of it.
func (c testCase) run(t *testing.T, h *rig.Host, mode string, prepare ...func(context.Context, *rig.Rig) error) (*outcome, error) {
	t.Helper()
	o := &outcome{mode: mode, hold: make(chan struct{})}
	var script fakemodel.Script
	o.Rig = world(t, h, func(r fakemodel.Request) fakemodel.Step { return script(r) }, rig.Handlers(c.yaml...))
	script = c.script.script(o)
	victim(t, o.Rig)
	for label, sh := range c.answers {
		if err := o.Answer(label, sh); err != nil {
			return o, err
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience(h))
	defer cancel()
	for _, p := range prepare {
		if err := p(ctx, o.Rig); err != nil {
			return o, err
		}
	}
	drive := c.drive
	if drive == nil {
		drive = func(ctx context.Context, o *outcome) error { return once(ctx, o, rig.Options{}) }
	}
	err := drive(ctx, o)
	o.log = o.Model.Requests()
	return o, err
}

// standing are the checks that every case makes.
func (c testCase) standing(o *outcome) []check {
	status, opened := 0, max(c.opened, 1)
	ends, named := opened, opened
	if o.Host.Manners.Resumes {
		named = 1 // the one that is taken up again
	}
	if c.exit != nil {
		status = c.exit(o)
	}
	if c.ends != nil {
		ends = c.ends(o)
	}
	if o.Host.Endless {
		ends = 0
	}
	return []check{exits(status), quiet(c.loud...), wellFormed, sessions(named), dispatched("SessionStart", opened), dispatched("SessionEnd", ends)}
}

//go:build linux

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// TestAgentsInAgents: a tool of one agent starts another one in the same project. Each agent is once the outer and once the inner
// one. Whoever speaks is known, each event is served once, and the gate holds in both.
func TestAgentsInAgents(t *testing.T) {
	need(t)
	for i, outer := range rig.Cased {
		inner := rig.Cased[(i+1)%len(rig.Cased)]
		t.Run(inner.ID+" in "+outer.ID, func(t *testing.T) {
			t.Parallel()
			agentInAgent(t, outer, inner)
		})
	}
}

const forbidden = "rmdir hooks/victim"

func agentInAgent(t *testing.T, outer, inner *rig.Host) {
	o := &outcome{mode: outer.Modes[0]}
	var script fakemodel.Script
	hooks := rig.Handlers()
	hooks = hooks[:strings.Index(hooks, "[")] + "[" + outer.ID + ", " + inner.ID + hooks[strings.Index(hooks, "]"):]
	o.Rig = world(t, outer, func(r fakemodel.Request) fakemodel.Step { return script(r) }, hooks)
	victim(t, o.Rig)
	in := &outcome{mode: inner.Modes[0]}
	var err error
	in.Rig, err = o.Also(inner, func(r fakemodel.Request) fakemodel.Step {
		return fakemodel.Steps(shell(in, forbidden), fakemodel.Say("done"))(r)
	})
	must(t, err)
	t.Cleanup(func() { must(t, in.Stop()) })
	script = fakemodel.Steps(shell(o, in.Line(rig.Options{Prompt: prompt})), shell(o, forbidden), fakemodel.Say("done"))
	must(t, o.Answer("PreToolUse", `grep -q '`+forbidden+`"' "$payload" && block "not in $LORIMER_HARNESS"`))
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience(rig.Opencode))
	defer cancel()
	must(t, materialize(ctx, o.Rig))
	if inner.Trusts {
		must(t, materialize(ctx, in.Rig))
	}
	must(t, once(ctx, o, rig.Options{}))
	o.log, in.log = o.Model.Requests(), in.Model.Requests()
	for _, k := range []check{
		exits(0), there("hooks/victim"),
		result(1, func(*outcome) string { return blockedTool(outer, "Bash", "not in "+outer.ID) }),
		served(outer, "SessionStart", 1), served(outer, "PreToolUse", 2), served(outer, "Stop", 1),
		served(inner, "SessionStart", 1), served(inner, "PreToolUse", 1), served(inner, "Stop", 1),
	} {
		if err := k.test(o); err != nil {
			t.Errorf("%s:\n%v", k.what, err)
		}
	}
	if err := result(0, func(*outcome) string { return blockedTool(inner, "Bash", "not in "+inner.ID) }).test(in); err != nil {
		t.Errorf("the model of the inner agent: %v", err)
	}
}

// served holds when the handlers of an event were started so often in the name of that agent.
func served(h *rig.Host, event string, times int) check {
	return check{what: fmt.Sprintf("%s of %s is served %d times", event, h.Name, times), test: func(o *outcome) error {
		var names []string
		n := 0
		for _, c := range o.Calls(event) {
			names = append(names, c.Env["LORIMER_HARNESS"])
			if c.Env["LORIMER_HARNESS"] == h.ID {
				n++
			}
		}
		if n != times {
			return fmt.Errorf("%d times, of %v", n, names)
		}
		return nil
	}}
}

//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// asksOnce is a shell line that writes down which agent the Runtime HAL says it is, as $E2E/hal/NAME.json. The name may have
// variables in it.
func asksOnce(name string) string {
	return fmt.Sprintf(`mkdir -p "$E2E/hal" && %s/lorimer hal detect --explain --json >"$E2E/hal/%s.json"`, bin, name)
}

// asks is asksOnce, and the JavaScript module's answer beside it, as NAME.mjs.json.
func asks(t *testing.T, name string) string {
	t.Helper()
	module, err := filepath.Abs("../golden/hal/hal.mjs")
	if err != nil {
		t.Fatal(err)
	}
	script := `import("` + module + `").then((hal) => console.log(JSON.stringify(hal.explain())))`
	return fmt.Sprintf(`%s && node -e '%s' >"$E2E/hal/%s.mjs.json"`, asksOnce(name), script, name)
}

// halHooks is a lorimer.yaml whose handlers ask at every event of a run.
func halHooks(t *testing.T, hosts []*rig.Host) string {
	t.Helper()
	var ids []string
	for _, h := range hosts {
		ids = append(ids, h.ID)
	}
	text := "version: 1\nharnesses: [" + strings.Join(ids, ", ") + "]\nhandlers:\n"
	for _, event := range rig.Labels {
		line := asksOnce("$LORIMER_HARNESS.$LORIMER_EVENT")
		if event == string(harness.PreToolUse) { // to start node at every event takes its time
			line = asks(t, "$LORIMER_HARNESS.$LORIMER_EVENT")
		}
		text += "  - name: " + strings.ToLower(event) + "\n    event: " + event + "\n    run: |\n      " + line + "\n"
	}
	return text
}

// hookAnswers are those to the four events that come in every agent and mode at least, one of them asked twice.
const hookAnswers = 5

// answered is one answer of the HAL.
type answered struct {
	Provider string
	By       string
	Steps    []struct{ Step, Why string }
}

// truth holds that all answers of the name, or those that match it, are the host's id, and that there are at least n.
func truth(t *testing.T, r *rig.Rig, pattern string, want *rig.Host, n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.Dir, "e2e", "hal", pattern))
	if err != nil || len(files) < n {
		t.Errorf("%s: %d answers, want %d", pattern, len(files), n)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var a answered
		if err := json.Unmarshal(b, &a); err != nil {
			t.Errorf("%s: %v: %s", filepath.Base(file), err, b)
		}
		if a.Provider != want.ID {
			t.Errorf("%s: %s, want %s: %s", filepath.Base(file), a.Provider, want.ID, b)
		}
	}
}

// foreign puts a settings file of Claude Code's into the project, which people have who use several agents.
func foreign(t *testing.T, r *rig.Rig) {
	t.Helper()
	file := filepath.Join(r.Clone, filepath.FromSlash(settings))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestHALTellsTheTruth: in every agent and mode, a tool and every hook ask where they run. Slow agents have one mode to do it in.
func TestHALTellsTheTruth(t *testing.T) {
	need(t)
	for _, h := range rig.Cased {
		modes := h.Modes
		if h.Slow {
			modes = modes[:1]
		}
		for _, mode := range modes {
			for about, prepare := range map[string]func(*testing.T, *rig.Rig){"alone": nil, "foreign": foreign} {
				t.Run(h.ID+"/"+mode+"/"+about, func(t *testing.T) {
					t.Parallel()
					o := &outcome{mode: mode}
					var script fakemodel.Script
					o.Rig = world(t, h, func(r fakemodel.Request) fakemodel.Step { return script(r) }, halHooks(t, rig.Cased))
					script = fakemodel.Steps(shell(o, asks(t, "tool")), fakemodel.Say("done"))
					if prepare != nil {
						prepare(t, o.Rig)
					}
					ctx, cancel := context.WithTimeout(t.Context(), 2*limit) // node, or another agent, is started in each
					defer cancel()
					if err := materialize(ctx, o.Rig); err != nil {
						t.Fatal(err)
					}
					if err := once(ctx, o, rig.Options{}); err != nil {
						t.Fatal(err)
					}
					truth(t, o.Rig, "tool.*", h, 2)
					truth(t, o.Rig, h.ID+".*", h, hookAnswers)
					truth(t, o.Rig, h.ID+"."+string(harness.PreToolUse)+".*", h, 2)
					truth(t, o.Rig, h.ID+"."+string(harness.Stop)+".*", h, 1)
					truth(t, o.Rig, "*", h, 0) // nobody's hook but this one's
				})
			}
		}
	}
}

// TestHALTellsTheTruthInNestedAgents: an agent's tool, and a hook of its, start another agent. Signs of both are set then.
func TestHALTellsTheTruthInNestedAgents(t *testing.T) {
	need(t)
	for i, outer := range rig.Cased {
		for j, inner := range rig.Cased {
			third := (i+3)%len(rig.Cased) == j // each agent is once the outer one and once the inner one
			if inner == outer || !third && os.Getenv("LORIMER_E2E_ALL") != "1" {
				continue
			}
			t.Run(inner.ID+" in "+outer.ID, func(t *testing.T) {
				t.Parallel()
				nested(t, outer, inner)
			})
		}
	}
}

func nested(t *testing.T, outer, inner *rig.Host) {
	o := &outcome{mode: outer.Modes[0]}
	var script fakemodel.Script
	o.Rig = world(t, outer, func(r fakemodel.Request) fakemodel.Step { return script(r) }, halHooks(t, rig.Cased))
	in := &outcome{mode: inner.Modes[0]}
	var err error
	in.Rig, err = o.Also(inner, func(r fakemodel.Request) fakemodel.Step {
		return fakemodel.Steps(shell(in, asks(t, "tool.inner")), fakemodel.Say("done"))(r)
	})
	must(t, err)
	t.Cleanup(func() { must(t, in.Stop()) })
	script = fakemodel.Steps(shell(o, in.Line(rig.Options{Prompt: prompt})), shell(o, asks(t, "tool.outer")), fakemodel.Say("done"))
	foreign(t, o.Rig)
	ctx, cancel := context.WithTimeout(t.Context(), 2*limit) // node, or another agent, is started in each
	defer cancel()
	must(t, materialize(ctx, o.Rig))
	if inner.Trusts {
		must(t, materialize(ctx, in.Rig))
	}
	must(t, once(ctx, o, rig.Options{}))
	truth(t, o.Rig, "tool.inner.*", inner, 2)
	truth(t, o.Rig, "tool.outer.*", outer, 2)
	truth(t, o.Rig, inner.ID+".*", inner, hookAnswers)
	truth(t, o.Rig, outer.ID+".*", outer, hookAnswers)
}

// TestHALTellsTheTruthInAHooksAgent: what a hook starts has the mark of the hook's agent, and is another one.
func TestHALTellsTheTruthInAHooksAgent(t *testing.T) {
	need(t)
	for i, outer := range halHosts {
		inner := halHosts[(i+1)%len(halHosts)]
		t.Run(inner.ID+" from a hook of "+outer.ID, func(t *testing.T) {
			t.Parallel()
			o := &outcome{mode: outer.Modes[0]}
			o.Rig = world(t, outer, fakemodel.Steps(fakemodel.Say("done")), "version: 1\nharnesses: ["+outer.ID+"]\nhandlers:\n  - name: starts\n    event: Stop\n    argv: [./hooks/starts]\n")
			in, err := o.Also(inner, fakemodel.Steps(
				fakemodel.Use(inner.Shell, map[string]any{"command": asks(t, "tool.inner")}),
				fakemodel.Say("done"),
			))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := in.Stop(); err != nil {
					t.Error(err)
				}
			})
			lines := "#!/bin/sh\n" + asks(t, "hook.outer") + "\n" + in.Line(rig.Options{Prompt: prompt}) + "\nexit 0\n"
			if err := os.WriteFile(filepath.Join(o.Clone, "hooks", "starts"), []byte(lines), 0o755); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*limit) // node, or another agent, is started in each
			defer cancel()
			if err := materialize(ctx, o.Rig); err != nil {
				t.Fatal(err)
			}
			if err := once(ctx, o, rig.Options{}); err != nil {
				t.Fatal(err)
			}
			truth(t, o.Rig, "hook.outer.*", outer, 2)
			truth(t, o.Rig, "tool.inner.*", inner, 2)
		})
	}
}

// halHosts are those whose hooks start another agent.
var halHosts = append(rig.Hosts[:len(rig.Hosts):len(rig.Hosts)], rig.Omp, rig.Opencode)

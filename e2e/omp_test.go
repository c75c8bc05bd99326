//go:build linux

package e2e

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// ompWorld makes a materialized world for oh-my-pi, with a rendezvous socket. handlers are more lines of lorimer.yaml.
func ompWorld(t *testing.T, mode string, script fakemodel.Script, handlers ...string) (context.Context, *outcome) {
	t.Helper()
	o := &outcome{mode: mode, hold: make(chan struct{})}
	o.Rig = world(t, rig.Omp, script, rig.Handlers(handlers...))
	o.Extra = []string{"LORIMER_RENDEZVOUS=" + o.Socket()}
	victim(t, o.Rig)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	must(t, materialize(ctx, o.Rig))
	return ctx, o
}

// on is a handler of hooks/handler for one more event.
func on(event string) string {
	return fmt.Sprintf("  - { name: %s, event: %s, argv: [./hooks/handler, %s] }", strings.ToLower(event), event, event)
}

// ended runs the host to its end and makes the checks.
func ended(ctx context.Context, t *testing.T, o *outcome, opt rig.Options, checks ...check) {
	t.Helper()
	must(t, once(ctx, o, opt))
	hold(t, o, checks...)
}

// hold makes the checks of a run that has ended.
func hold(t *testing.T, o *outcome, checks ...check) {
	t.Helper()
	o.log = o.Model.Requests()
	for _, k := range checks {
		if err := k.test(o); err != nil {
			t.Errorf("%s:\n%v", k.what, err)
		}
	}
}

// toolSaid holds when the i-th tool call, from 0, was answered with the text in it.
func toolSaid(i int, text string) check {
	return check{what: fmt.Sprintf("tool call %d is answered with %q", i, text), test: func(o *outcome) error {
		rs := o.log.Results()
		if i >= len(rs) || !strings.Contains(rs[i].Text, text) {
			return fmt.Errorf("%v", rs)
		}
		return nil
	}}
}

// A job in the background passes by no gate: where omp ends by itself there is none while a handler is on Stop, and where it
// does not end the stop comes after the job.
func TestOmpBackgroundJobs(t *testing.T) {
	need(t)
	job := fakemodel.Use("bash", map[string]any{"command": "sleep 1; echo LATE", "async": true})
	for _, mode := range []string{"print", "json"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			ctx, o := ompWorld(t, mode, fakemodel.Steps(job, fakemodel.Say("early"), fakemodel.Say("done")))
			must(t, o.Answer("Stop", "first_stop && block 'NOT YET'"))
			ended(ctx, t, o, rig.Options{}, exits(0), quiet(), requests(3), dispatched("Stop", 2), goesOn(3, "NOT YET"),
				toolSaid(0, "Async bash execution is disabled"))
		})
	}
	t.Run("rpc", func(t *testing.T) {
		t.Parallel()
		ctx, o := ompWorld(t, "rpc", fakemodel.Steps(job, fakemodel.Say("waiting"), fakemodel.Say("early"), fakemodel.Say("done")))
		must(t, o.Answer("Stop", "first_stop && block 'NOT YET'"))
		ended(ctx, t, o, rig.Options{}, exits(0), quiet(), requests(4), dispatched("Stop", 2), reads(3, "LATE"), goesOn(4, "NOT YET"),
			toolSaid(0, "Backgrounded as job"))
	})
	t.Run("without a gate", func(t *testing.T) {
		t.Parallel()
		ctx, o := ompWorld(t, "print", fakemodel.Steps(job, fakemodel.Say("done")))
		must(t, os.WriteFile(filepath.Join(o.Clone, "lorimer.yaml"), []byte("version: 1\nharnesses: [omp]\nhandlers:\n"+on("PreToolUse")+"\n"), 0o644),
			materialize(ctx, o.Rig))
		ended(ctx, t, o, rig.Options{}, exits(0), quiet(), requests(2), dispatched("PreToolUse", 1), toolSaid(0, "Backgrounded as job"))
	})
}

// omp gives up on a stop's hooks after 30 s and ends without them, and on those of the session's end after 2 s. The deadline
// of ours is inside, so what holds then is what the handler says.
func TestOmpLimits(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := ompWorld(t, "print", fakemodel.Steps(fakemodel.Say("early"), fakemodel.Say("done")),
		"  - { name: slow, event: Stop, run: 'grep -q stop_hook_active..true || sleep 60', timeout: 90s, on_limit: block }",
		"  - { name: late, event: SessionEnd, run: sleep 60, timeout: 90s, on_limit: allow }")
	ended(ctx, t, o, rig.Options{}, exits(0), quiet("lorimer: "), requests(2), dispatched("Stop", 2), dispatched("SessionEnd", 1),
		said("handler slow"), said("handler late"), request(2, "the reason names the handler", func(o *outcome, r fakemodel.Request) error {
			if text := continuation(r); !strings.Contains(text, "handler slow") {
				return fmt.Errorf("%s", text)
			}
			return nil
		}))
	if o.exit.Took < 24*time.Second {
		t.Errorf("it took only %s", o.exit.Took)
	}
}

// A provider's error is no end of work, and there is an event for it.
func TestOmpTellsOfFailures(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := ompWorld(t, "json", fakemodel.Steps(fakemodel.Fail(400, "no such luck")), on("StopFailure"))
	ended(ctx, t, o, rig.Options{}, exits(1), dispatched("Stop", 0), dispatched("StopFailure", 1))
	if calls := o.Calls("StopFailure"); len(calls) == 1 && !strings.Contains(calls[0].Get("error"), "no such luck") {
		t.Errorf("%s", calls[0].Payload)
	}
}

// A shim that does not load is passed over by omp, which only says so. As a trusted extension it makes omp stop, and one that
// is reached in two ways is loaded once.
func TestOmpLoadsTheShim(t *testing.T) {
	need(t)
	shim := func(o *outcome) string { return filepath.Join(o.Clone, ".omp", "extensions", "lorimer.js") }
	broken := func(o *outcome) error { return os.WriteFile(shim(o), []byte("export default 1 +;\n"), 0o644) }
	for _, c := range []struct {
		name, flag string
		breaks     bool
		exit       int
		checks     []check
	}{
		{"broken, found in its place", "", true, 0, []check{requests(1), dispatched("SessionStart", 0)}},
		{"broken, trusted", "--trusted-extension", true, 1, []check{requests(0), dispatched("SessionStart", 0)}},
		{"trusted", "--trusted-extension", false, 0, []check{quiet(), requests(1), dispatched("SessionStart", 1), dispatched("Stop", 1)}},
		{"named, and found in its place", "-e", false, 0, []check{quiet(), requests(1), dispatched("SessionStart", 1), dispatched("Stop", 1)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, o := ompWorld(t, "print", fakemodel.Steps(fakemodel.Say("done")))
			var opt rig.Options
			if c.flag != "" {
				opt.Args = []string{c.flag, shim(o)}
			}
			if c.breaks {
				must(t, broken(o))
			}
			ended(ctx, t, o, opt, append(c.checks, exits(c.exit))...)
			if c.breaks && !strings.Contains(o.exit.Stderr, "ailed to load") {
				t.Errorf("it says only %q", o.exit.Stderr)
			}
		})
	}
}

// An idle session starts a run for a message, also one that was never asked anything; the same message comes once.
func TestOmpRendezvousIdle(t *testing.T) {
	need(t)
	t.Parallel()
	ctx, o := ompWorld(t, "rpc", fakemodel.Steps(fakemodel.Say("done")))
	p, err := o.Start(rig.Options{Mode: "rpc"})
	must(t, err, o.WaitCalls(ctx, "SessionStart", 1), bound(ctx, o))
	must(t, poke(ctx, o.Socket(), "not JSON", message(poked, "m1")))
	must(t, asked(ctx, o, 1), p.Output(ctx, settled))
	before := len(p.Lines())
	must(t, poke(ctx, o.Socket(), message(poked, "m1"), message("ANOTHER", "m2")))
	must(t, asked(ctx, o, 2), p.Output(ctx, func(l []string) bool { return settled(l[before:]) }))
	o.exit, err = p.Wait(ctx)
	must(t, err)
	hold(t, o, exits(0), quiet(), requests(2), reads(1, poked), reads(2, poked), reads(2, "ANOTHER"), socketGone,
		dispatched("SessionStart", 1), dispatched("UserPromptSubmit", 0), dispatched("Stop", 2), dispatched("SessionEnd", 1), wellFormed)
}

// A busy session takes a message up when its run would end, in every mode, without sending what runs into the background; then
// it ends by itself.
func TestOmpRendezvousBusy(t *testing.T) {
	modes(t, []*rig.Host{rig.Omp}, func(t *testing.T, h *rig.Host, mode string) {
		var o *outcome
		ctx, o := ompWorld(t, mode, func(r fakemodel.Request) fakemodel.Step {
			if r.Turn == 1 {
				return fakemodel.Step{Calls: shell(o, "until [ -f go ]; do sleep 0.05; done; env").Calls}
			}
			return fakemodel.Say("done")
		})
		p, err := o.Start(rig.Options{Mode: mode, Prompt: prompt})
		must(t, err)
		if mode == h.Talk {
			must(t, p.Send(map[string]string{"id": "p", "type": "prompt", "message": prompt}))
		}
		must(t, asked(ctx, o, 1), o.WaitCalls(ctx, "PreToolUse", 1))
		idle, err := net.Dial("unix", o.Socket()) // a peer that stays must keep nobody from ending
		must(t, err)
		defer idle.Close()
		must(t, poke(ctx, o.Socket(), message(poked, "m1"), message(poked, "m1")))
		time.Sleep(200 * time.Millisecond) // a steered shell would be left alone meanwhile
		must(t, os.WriteFile(filepath.Join(o.Clone, "go"), nil, 0o644))
		if mode == h.Talk {
			must(t, asked(ctx, o, 3), p.Output(ctx, settled))
		}
		o.exit, err = p.Wait(ctx)
		must(t, err)
		hold(t, o, exits(0), quiet(), requests(3), reads(3, poked), socketGone, dispatched("UserPromptSubmit", 1), dispatched("SessionEnd", 1),
			wellFormed, toolSaid(0, "OMPCODE="), check{what: "the variable is not handed down", test: func(o *outcome) error {
				if text := o.log.Results()[0].Text; strings.Contains(text, "RENDEZVOUS=/") || strings.Contains(text, "ackgrounded") {
					return fmt.Errorf("%s", text)
				}
				return nil
			}})
	})
}

// What a handler has for the user is shown where there is a user interface, which in rpc is the other program's; else it is a
// line on standard error.
func TestOmpShowsNotices(t *testing.T) {
	need(t)
	for _, mode := range []string{"print", "rpc"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			ctx, o := ompWorld(t, mode, fakemodel.Steps(fakemodel.Say("done")))
			must(t, o.Answer("Stop", `printf '{"systemMessage":"LOOK"}\n'`), once(ctx, o, rig.Options{}))
			shown := strings.Contains(o.exit.Stdout, `"method":"notify","message":"LOOK"`)
			line := strings.Contains(o.exit.Stderr, "lorimer: LOOK\n")
			if rpc := mode == rig.Omp.Talk; shown != rpc || line == rpc {
				t.Errorf("stdout: %s\nstderr: %s", o.exit.Stdout, o.exit.Stderr)
			}
		})
	}
}

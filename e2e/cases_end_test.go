//go:build linux

package e2e

import (
	"context"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// endCases are about runs that end in another way, and sessions that come from another one.
var endCases = []testCase{
	{
		name:    "an abort is not gated",
		ending:  true,
		answers: map[string]string{"Stop": "block 'NOT YET'"},
		script: told(func(o *outcome) fakemodel.Script {
			return fakemodel.Steps(fakemodel.Step{Text: "never", Until: o.hold})
		}),
		drive:  abort,
		exit:   abortStatus,
		ends:   abortEnds,
		checks: append(always(requests(1)), dispatched("UserPromptSubmit", 1), dispatched("Stop", 0)),
	},
	{
		name:    "a provider error is not gated",
		ending:  true,
		answers: map[string]string{"Stop": "block 'NOT YET'"},
		script:  told(func(o *outcome) fakemodel.Script { return fakemodel.Steps(fakemodel.Fail(400, "no such luck")) }),
		exit:    failureStatus,
		ends:    failureEnds,
		loud:    []string{"no such luck"},
		checks:  []check{dispatched("UserPromptSubmit", 1), dispatched("Stop", 0)},
	},
	{
		name: "the gate holds in a forked session",
		// The first stop is the parent's.
		answers: map[string]string{"Stop": `[ "$nth" -gt 1 ] && first_stop && block ` + quoted(reason)},
		script: told(func(o *outcome) fakemodel.Script {
			return fakemodel.Steps(fakemodel.Say("parent 🦌"), fakemodel.Say("early"), fakemodel.Say("done"))
		}),
		drive:  fork,
		opened: 2,
		checks: append(always(reads(2, "parent 🦌")),
			dispatched("Stop", 3), requests(3),
			field("Stop", 1, is("false"), "stop_hook_active"),
			field("Stop", 1, lastMessage("early"), "last_assistant_message"),
			field("Stop", 2, is("true"), "stop_hook_active"),
			goesOn(3, reason),
			field("SessionStart", 1, forkSource, "source"),
		),
	},
}

// abort interrupts the host while the model is thinking, in the way its mode has.
func abort(ctx context.Context, o *outcome) error {
	if o.mode == o.Host.Serve {
		return serve(ctx, o, func(s *rig.Server) error { return abortServed(ctx, o, s) })
	}
	p, err := o.Start(rig.Options{Mode: o.mode, Prompt: prompt})
	if err != nil {
		return err
	}
	talk := o.mode == o.Host.Talk
	if talk {
		if err := p.Send(map[string]string{"id": "p", "type": "prompt", "message": prompt}); err != nil {
			return err
		}
	}
	if err := o.Model.Wait(ctx, func(l fakemodel.Log) bool { return len(l) == 1 }); err != nil {
		return err
	}
	if talk {
		if err := p.Send(map[string]string{"id": "a", "type": "abort"}); err != nil {
			return err
		}
		if err := p.Output(ctx, settled); err != nil {
			return err
		}
	} else if err := p.Interrupt(o.Host); err != nil {
		return err
	}
	o.exit, err = p.Wait(ctx)
	return err
}

func abortServed(ctx context.Context, o *outcome, s *rig.Server) error {
	id, err := s.Session(ctx, "")
	if err == nil {
		err = s.Prompt(ctx, id, prompt, nil)
	}
	if err == nil {
		err = asked(ctx, o, 1)
	}
	if err == nil {
		err = s.Do(ctx, "POST", "/session/"+id+"/abort", nil, nil)
	}
	if err == nil {
		err = s.Settled(ctx)
	}
	return err
}

// fork runs the host twice: a session, and another one that is forked from it. A server has both at once.
func fork(ctx context.Context, o *outcome) error {
	if o.mode == o.Host.Serve {
		return serve(ctx, o, func(s *rig.Server) error {
			first, err := converse(ctx, s, "", "first")
			if err == nil {
				_, err = converse(ctx, s, first, prompt)
			}
			return err
		})
	}
	const parent, child = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
	if err := once(ctx, o, rig.Options{Session: parent, Prompt: "first"}); err != nil {
		return err
	}
	if o.exit.Code != 0 {
		return exits(0).test(o)
	}
	return once(ctx, o, rig.Options{Session: child, Fork: parent})
}

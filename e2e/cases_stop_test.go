//go:build linux

package e2e

import (
	"errors"
	"fmt"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// stopCases are about gates at the end of the work.
var stopCases = []testCase{
	{
		name:    "a blocked stop goes on with the reason",
		ending:  true,
		answers: map[string]string{"Stop": "first_stop && block " + quoted(reason)},
		script: told(func(o *outcome) fakemodel.Script {
			return fakemodel.Steps(fakemodel.Say("early"), fakemodel.Say("done"))
		}),
		checks: []check{
			dispatched("Stop", 2),
			dispatched("UserPromptSubmit", 1),
			field("Stop", 0, is("false"), "stop_hook_active"),
			field("Stop", 0, lastMessage("early"), "last_assistant_message"),
			field("Stop", 1, is("true"), "stop_hook_active"),
			field("Stop", 1, lastMessage("done"), "last_assistant_message"),
			requests(2),
			goesOn(2, reason),
		},
	},
	{
		name:    "a gate that never passes ends after the cap",
		yaml:    []string{"stop_gate: { max_continuations: 3 }"},
		answers: map[string]string{"Stop": `block "NOT YET $nth"`},
		// A tool call in each round: Claude's own cap would start again with each, and never end.
		script: told(func(o *outcome) fakemodel.Script {
			return func(r fakemodel.Request) fakemodel.Step {
				if r.Turn%2 == 1 {
					return shell(o, fmt.Sprintf("echo round %d", r.Turn))
				}
				return fakemodel.Say("done")
			}
		}),
		loud: []string{"lorimer: "},
		checks: []check{
			dispatched("Stop", 4), requests(8),
			goesOn(3, "NOT YET 1"), goesOn(5, "NOT YET 2"), goesOn(7, "NOT YET 3"),
			said("(max_continuations)"),
		},
	},
	{
		name:    "eight rounds are the cap where none is set",
		answers: map[string]string{"Stop": `block "NOT YET $nth"`},
		script:  saysDone,
		loud:    []string{"lorimer: "},
		checks:  []check{eightRounds},
	},
	{
		name:    "the same reason three times running is enough",
		answers: map[string]string{"Stop": "block " + quoted(reason)},
		script:  echoes,
		loud:    []string{"lorimer: "},
		checks:  []check{dispatched("Stop", 4), requests(5), said("blocked 3 times for")},
	},
}

// eightRounds: the host that would end the run itself is let go the last time that it can be told.
var eightRounds = check{what: "as many rounds as there may be", test: func(o *outcome) error {
	rounds, why := 8, "(max_continuations)"
	if m := o.Host.Manners; m.Rounds > 0 {
		rounds, why = m.Rounds, m.Capped
	}
	return errors.Join(dispatched("Stop", rounds+1).test(o), requests(rounds+1).test(o),
		goesOn(rounds+1, fmt.Sprint("NOT YET ", rounds)).test(o), said(why).test(o))
}}

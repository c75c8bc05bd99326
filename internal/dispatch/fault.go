package dispatch

import (
	"fmt"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/off"
	"github.com/lorimer-dev/lorimer/internal/trust"
	"github.com/lorimer-dev/lorimer/internal/verdict"
)

// onFault decides what holds when the event could not be served: it passes with one loud line, or it is blocked with a reason
// that names the fault, where a handler of the event or the hook itself asked for that. What the user switched off blocks
// nothing: that is the way out of a clone whose hooks cannot be asked.
func (c *call) onFault(err error) harness.Verdict {
	closed, why := c.failsClosed(), c.switchedOff()
	switch {
	case !closed:
		c.say(err.Error())
		return harness.Verdict{}
	case why != "":
		c.say(err.Error() + "; not blocked, because " + why)
		return harness.Verdict{}
	}
	c.say(err.Error())
	return harness.Verdict{Blocked: true, Reason: "blocked, because the hooks could not be asked: " + oneLine(err.Error())}
}

// failsClosed: handlers count only once they are trusted, because a foreign manifest must not be able to block either. Where
// the clone's manifest is gone, broken or another one, what the user agreed to last says what must hold: a shim, or a hook of the
// user's own, has no other way to say it.
func (c *call) failsClosed() bool {
	return c.failClosed || slices.ContainsFunc(c.handlers, mustHold) || c.agreedToBlock()
}

func mustHold(h manifest.Handler) bool { return h.Block && h.OnError == manifest.BlockOnFault }

// agreedToBlock says whether a handler of the event must hold in the manifest that the user agreed to last.
func (c *call) agreedToBlock() bool {
	home := c.stateHome()
	if home == "" || c.root == "" || c.harness == nil {
		return false
	}
	view, err := manifest.Parse(trust.Agreed(home, c.root))
	if err != nil {
		return false
	}
	all, _ := view.Handlers(c.event, c.harness.ID)
	list := off.Read(home, c.root, time.Now())
	return slices.ContainsFunc(all, func(h manifest.Handler) bool {
		_, isOff := off.Find(list, h.Name)
		return mustHold(h) && !isOff
	})
}

// afterFault is onFault for a single handler: its own policy decides. cut means that the host's limit ended it, not its own.
func (c *call) afterFault(h manifest.Handler, fault error, cut bool) verdict.Outcome {
	policy := h.OnError
	if cut && h.OnLimit != "" {
		policy = h.OnLimit
	}
	line := fmt.Sprintf("handler %s on %s: %v", h.Name, c.event, fault)
	if policy != manifest.BlockOnFault {
		c.say(line + "; it counts as allowed")
		return verdict.Outcome{}
	}
	c.say(line)
	return verdict.Outcome{Blocked: true, Reason: "blocked, because a hook could not be asked: " + oneLine(line)}
}

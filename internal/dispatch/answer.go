package dispatch

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/verdict"
)

// answer says the verdict in the host's own tongue and adds the loud lines. If that fails, the answer is the plainest there is.
func (c *call) answer(v harness.Verdict) harness.Reply {
	reply, err := c.reply(v)
	if err != nil {
		reply = harness.ShimAnswer(c.event, c.onFault(err))
	}
	lines := c.spoken()
	// With exit 2 a host's stderr is the model's, which would read our lines as a part of the reason; they are in the log. A
	// shim has the reason from stdout and knows the lines by their prefix.
	if reply.Exit == 0 || c.harness != nil && c.harness.Kind == harness.Generative {
		reply.Stderr += lines
	}
	return reply
}

func (c *call) reply(v harness.Verdict) (reply harness.Reply, err error) {
	defer recovered(&err)
	v = c.handOver(c.stopGate(v))
	c.final = v
	if v.Blocked && c.harness != nil && !c.binding.Has(harness.Block) && !c.binding.Has(harness.Continue) {
		c.say(fmt.Sprintf("%s was blocked, but %s cannot block it: %s", c.event, c.harness.Name, v.Reason))
	}
	c.sayLost(v)
	reply = c.inHostWords(v)
	if reply.Exit != 0 { // whatever a row says: 0 and 2 are all there is
		reply.Exit = verdict.Blocked
	}
	return reply, nil
}

func (c *call) inHostWords(v harness.Verdict) harness.Reply {
	if c.harness == nil || c.harness.Answer == nil {
		return harness.ShimAnswer(c.event, v)
	}
	v.Input, _ = c.restored(v.Input)
	return c.harness.Answer(c.event, v)
}

// hostInput is a rewritten input in the host's own names.
type hostInput struct {
	of, restored string
	lost         []string // keys that the host does not know
}

// restored puts an input into the host's own names. It is asked more than once, of one input.
func (c *call) restored(input string) (string, []string) {
	if input == "" || c.harness == nil || c.harness.Restore == nil {
		return input, nil
	}
	if c.input.of != input {
		c.input.of = input
		c.input.restored, c.input.lost = c.harness.Restore(hostPayload{c.host}, input)
	}
	return c.input.restored, c.input.lost
}

// sayLost: a key that was made for handlers is none that the host knows, so what a handler writes into it changes nothing.
func (c *call) sayLost(v harness.Verdict) {
	_, lost := c.restored(v.Input)
	c.sayUnchanged(lost)
}

func (c *call) sayUnchanged(lost []string) {
	if len(lost) > 0 {
		c.say(fmt.Sprintf("updatedInput of %s: %s cannot be changed in %s, so the call has what it had", c.event, strings.Join(lost, ", "), c.harness.Name))
	}
}

// askable makes a question a block where the host's words for it are the same as for silence: a question that nobody hears
// would let the call run.
func (c *call) askable(v harness.Verdict) harness.Verdict {
	silent := v
	silent.Ask, silent.Reason = false, ""
	if !v.Ask || c.inHostWords(v) != c.inHostWords(silent) {
		return v
	}
	return harness.Verdict{Blocked: true, Reason: v.Reason}
}

package dispatch

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// A blocked stop makes the agent go on, and stop again: a loop. Handlers end it by the bit stop_hook_active, which says that
// the agent only went on because they wanted it; and when they do not, a cap does. In a generative harness both live in the
// shim. Here they are supplied for external harnesses, where every event is a process of its own, so the count is kept in the
// session's directory (stopstate.go).

// sameReason is how often the same reason may block in a row, with no tool call in between, before it is taken for a handler
// that cannot be satisfied.
const sameReason = 3

// guardsStops says whether this call's harness has no shim that would guard the loop. A trial is no stop of a session's.
func (c *call) guardsStops() bool {
	return c.trial == nil && c.harness != nil && c.harness.Kind == harness.External
}

// noteForStopGate does what the loop guard needs before handlers run: it tells our own continuation from a user's prompt, notes
// that a tool ran, and supplies the bit.
func (c *call) noteForStopGate() error {
	if !c.guardsStops() || !c.view.Wants(c.harness.ID, harness.Stop, harness.SubagentStop) {
		return nil
	}
	stops := c.stops()
	switch {
	case c.event == harness.UserPromptSubmit:
		if stops.isEcho(c.text("prompt")) {
			return errNothingToDo
		}
		stops.prompted()
	case c.event.Tool():
		stops.noteTool()
	case c.event.Gate():
		c.supplyStopBit(stops)
	}
	return nil
}

// supplyStopBit: the host's own bit is the truth, and false in it is a stop that nobody forced.
func (c *call) supplyStopBit(stops stops) {
	switch c.fields[stopBit] {
	case "false":
		stops.forget()
	case "":
		c.payload = withStopBit(c.payload, stops.read().active)
	}
}

const stopBit = "stop_hook_active"

// stopGate ends the loop: it lets a stop pass that was blocked too often, and counts the ones that are blocked.
func (c *call) stopGate(v harness.Verdict) harness.Verdict {
	if !c.guardsStops() || !c.event.Gate() {
		return v
	}
	stops := c.stops()
	if !v.Blocked {
		stops.forget()
		return v
	}
	why := stops.tooMany(v.Reason, c.maxContinuations())
	if why == "" {
		why = c.hostEnds(stops)
	}
	if why != "" {
		stops.letGo()
		c.say(fmt.Sprintf("%s passes: %s; the last reason was: %s", c.event, why, v.Reason))
		return harness.Verdict{Notice: v.Notice}
	}
	if err := stops.count(v.Reason); err != nil {
		return c.uncounted(v, err)
	}
	return v
}

// uncounted: a stop that cannot be counted could be blocked for ever. It is blocked when the host says that it is the first.
func (c *call) uncounted(v harness.Verdict, err error) harness.Verdict {
	if c.fields[stopBit] == "false" {
		c.say(fmt.Sprintf("the blocked %s could not be counted: %v", c.event, err))
		return v
	}
	c.say(fmt.Sprintf("%s passes, because it cannot be told how often it was blocked: %v; the reason was: %s", c.event, err, v.Reason))
	return harness.Verdict{}
}

// maxContinuations is the manifest's word, or the default while there is no manifest that could be trusted.
func (c *call) maxContinuations() int {
	if len(c.handlers) == 0 {
		return harness.DefaultMaxContinuations
	}
	return c.view.MaxContinuations()
}

// tooMany says why a stop that was blocked once more has to pass, or "".
func (s stops) tooMany(reason string, limit int) string {
	old := s.read()
	switch {
	case limit > 0 && old.count >= limit:
		return fmt.Sprintf("it was blocked %d times without a prompt of the user's in between (max_continuations)", old.count)
	case old.same >= sameReason && old.reason == keptReason(reason) && s.noToolSince(old):
		return fmt.Sprintf("it was blocked %d times for the same reason, and no tool was used in between", old.same)
	}
	return ""
}

// prompted begins anew. The reason of the last stop may still come back: some hosts hand on what the user said meanwhile first.
func (s stops) prompted() {
	old := s.read()
	if !old.echo {
		s.forget()
		return
	}
	if s.write(stopState{reason: old.reason, echo: true}) != nil {
		s.forget()
	}
}

// letGo remembers that a stop passed although it was blocked. The count stays as it is, so that a host that stops twice does
// not begin anew; only a prompt, the host's own bit, or a stop that nobody blocks does.
func (s stops) letGo() {
	now := s.read()
	now.active, now.echo = false, false
	_ = s.write(now) // or the bit stays true, and a handler lets go sooner
}

// count remembers one more blocked stop.
func (s stops) count(reason string) error {
	old := s.read()
	now := stopState{count: old.count + 1, active: true, reason: keptReason(reason), echo: true, same: 1, tools: s.toolsSeen()}
	if old.reason == now.reason && s.noToolSince(old) {
		now.same = old.same + 1
	}
	return s.write(now)
}

// noToolSince says whether it is known that no tool ran since the last blocked stop. That is known only in a session whose
// tool events reach us: where none was ever seen, it is unknown.
func (s stops) noToolSince(old stopState) bool {
	seen := s.toolsSeen()
	return seen > 0 && seen == old.tools
}

const longestReason = 64 << 10 // bytes

// keptReason is as much of a reason as is kept to be compared.
func keptReason(reason string) string {
	return strings.ToValidUTF8(reason[:min(len(reason), longestReason)], "")
}

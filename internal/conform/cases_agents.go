package conform

import (
	"fmt"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// agentCases: a sub-agent is told from a main session, and its stop from the end of the work.
func agentCases(*subject) []kase {
	start, stop := harness.SubagentStart, harness.SubagentStop
	return []kase{
		{
			name: "sub-agent: its start is no session's", expected: "SubagentStart with agent_id, and no second SessionStart",
			needs: events(start, harness.SessionStart), play: agentStarts,
		},
		{
			name: "sub-agent: its tool call carries agent_id", expected: "agent_id before tool_input, and the main session's id",
			needs: all(subagents, events(harness.PreToolUse)), play: agentCalls,
		},
		{
			name: "sub-agent: its stop is no end of the work", expected: "SubagentStop, and no Stop",
			needs: events(stop, harness.Stop), play: agentStops,
		},
	}
}

// subagents is met where the harness has an event of them.
func subagents(s *subject) string {
	if why := events(harness.SubagentStart)(s); why != "" {
		return events(harness.SubagentStop)(s)
	}
	return ""
}

// enterAgent begins a session, and a sub-agent in it.
func (w *world) enterAgent() error {
	if err := w.begin(); err != nil {
		return err
	}
	if w.fake.Plays[string(harness.SubagentStart)] == nil {
		return nil
	}
	_, err := w.fire(string(harness.SubagentStart), act{Session: w.child()})
	return err
}

func agentStarts(w *world) error {
	if err := w.enterAgent(); err != nil {
		return err
	}
	if err := first(w.count(harness.SessionStart, 1), w.count(harness.SubagentStart, 1)); err != nil {
		return err
	}
	c := w.board.calls("SubagentStart")[0]
	w.note("%s", shown(string(c.Payload)))
	return first(equal("agent_id", c.get("agent_id"), "c1"), equal("session_id", c.get("session_id"), "s1"))
}

func agentCalls(w *world) error {
	if err := w.enterAgent(); err != nil {
		return err
	}
	if _, err := w.fire(string(harness.PreToolUse), w.actOf(harness.PreToolUse, act{Session: w.child()})); err != nil {
		return err
	}
	calls := w.board.calls("PreToolUse")
	if len(calls) != 1 {
		return fmt.Errorf("handlers of PreToolUse ran %d times", len(calls))
	}
	w.note("%s", shown(string(calls[0].Payload)))
	if !w.native() {
		if err := inOrder(calls[0]); err != nil {
			return err
		}
	}
	return first(equal("agent_id", calls[0].get("agent_id"), "c1"), equal("session_id", calls[0].get("session_id"), "s1"))
}

func agentStops(w *world) error {
	if err := first(w.answer(harness.Stop, blocking(text)), w.enterAgent()); err != nil {
		return err
	}
	saw, err := w.fire(string(harness.SubagentStop), act{Session: w.child()})
	if err != nil {
		return err
	}
	return first(w.count(harness.SubagentStop, 1), w.count(harness.Stop, 0), w.seesNothing(saw.reasons()))
}

package conform

import (
	"fmt"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// stopCases: a gate holds, and ends.
func stopCases(*subject) []kase {
	e := harness.Stop
	gate := func(name, expected string, setup setup, needs func(*subject) string, play func(*world) error) kase {
		return kase{name: "Stop: " + name, expected: expected, setup: setup, needs: all(events(e), needs), claims: effect(e, harness.Block), play: play}
	}
	none := func(*subject) string { return "" }
	uncapped := setup{yaml: "stop_gate: { max_continuations: 0 }"}
	return []kase{
		gate("the loop bit", "stop_hook_active false, true after a block, false after a prompt", setup{}, none, loopBit),
		gate("a loop that never passes ends at the cap", "three rounds, then it is let go, aloud", setup{yaml: "stop_gate: { max_continuations: 3 }"}, none, capped),
		gate("the same reason again and again is enough", "three rounds, then it is let go, aloud", uncapped, events(harness.PreToolUse), sameReason),
		gate("a tool call in between is progress", "five rounds with the same reason, and still held", uncapped, events(harness.PreToolUse), progress),
		gate("a prompt of the user's begins anew", "two rounds for each prompt", setup{yaml: "stop_gate: { max_continuations: 2 }"}, events(harness.UserPromptSubmit), anew),
		gate("our own continuation is no prompt", "not dispatched, and the next stop knows that it was held", setup{}, echoed, echo),
		gate("two stops at once", "one after the other: one bit of false at most", setup{}, modules, overlapping),
		gate("two sessions", "each has a loop of its own", setup{}, none, apart),
		gate("a forked session", "the gate holds there, from the beginning", setup{}, plays("fork"), forked),
		{name: "Stop: an abort is none", expected: "nothing is dispatched, nothing held up", needs: all(events(e), plays("abort")), play: ungated("abort")},
		{name: "Stop: a provider's failure is none", expected: "nothing is dispatched, nothing held up", needs: all(events(e), plays("failure")), play: ungated("failure")},
	}
}

func loopBit(w *world) error {
	if err := first(w.answer(harness.Stop, blocking(text), Answer{}), w.begin()); err != nil {
		return err
	}
	for i, want := range []bool{true, false} {
		saw, err := w.stop()
		if err != nil {
			return err
		}
		if held := has(saw.reasons(), text); held != want {
			return fmt.Errorf("stop %d: the host saw %s", i+1, shown(saw.reasons()))
		}
	}
	if _, err := w.fire(string(harness.UserPromptSubmit), act{}); err != nil {
		return err
	}
	if _, err := w.stop(); err != nil {
		return err
	}
	w.note("%s", w.bits(harness.Stop))
	return equal("stop_hook_active", w.bits(harness.Stop), "false true false")
}

// reasons are answers that block, each with a reason of its own.
func reasons(n int) (all []Answer) {
	for i := range n {
		all = append(all, blocking(fmt.Sprintf("NOT YET %d", i+1)))
	}
	return all
}

func capped(w *world) error {
	if err := first(w.answer(harness.Stop, reasons(9)...), w.begin()); err != nil {
		return err
	}
	held, err := w.stops(9)
	if err != nil {
		return err
	}
	w.note("%d rounds", held)
	return first(equal("the number of rounds", held, 3), w.said("max_continuations"))
}

func sameReason(w *world) error {
	if err := first(w.answer(harness.Stop, blocking(text)), w.begin()); err != nil {
		return err
	}
	// A module knows of its host that it shows tool calls. A command knows it when one has come.
	if w.row.Shim == nil {
		if _, err := w.fire(string(harness.PreToolUse), w.actOf(harness.PreToolUse, act{})); err != nil {
			return err
		}
	}
	held, err := w.stops(9)
	if err != nil {
		return err
	}
	w.note("%d rounds", held)
	return first(equal("the number of rounds", held, 3), w.said("same reason"))
}

func progress(w *world) error {
	if err := first(w.answer(harness.Stop, blocking(text)), w.begin()); err != nil {
		return err
	}
	for i := range 5 {
		saw, err := w.stop()
		if err != nil {
			return err
		}
		if len(saw.reasons()) == 0 {
			return fmt.Errorf("it was let go in round %d", i+1)
		}
		if _, err := w.fire(string(harness.PreToolUse), w.actOf(harness.PreToolUse, act{})); err != nil {
			return err
		}
	}
	return w.count(harness.Stop, 5)
}

func anew(w *world) error {
	if err := first(w.answer(harness.Stop, reasons(9)...), w.begin()); err != nil {
		return err
	}
	var rounds []string
	for range 2 {
		held, err := w.stops(9)
		if err != nil {
			return err
		}
		rounds = append(rounds, fmt.Sprint(held))
		if _, err := w.fire(string(harness.UserPromptSubmit), act{Text: "another"}); err != nil {
			return err
		}
	}
	w.note("%s", strings.Join(rounds, " "))
	return equal("the number of rounds", strings.Join(rounds, " "), "2 2")
}

// echoed is met where a prompt event can be our own: the imitation says which, or any may be, of a host that loads modules.
func echoed(s *subject) string {
	if s.row.Kind != harness.Generative {
		return plays("echo")(s)
	}
	return events(harness.UserPromptSubmit)(s)
}

func echo(w *world) error {
	if err := first(w.answer(harness.Stop, blocking(text), Answer{}), w.begin()); err != nil {
		return err
	}
	before := len(w.board.calls("UserPromptSubmit"))
	if _, err := w.stop(); err != nil {
		return err
	}
	play := "echo"
	if w.fake.Plays[play] == nil {
		play = string(harness.UserPromptSubmit)
	}
	active := w.active["s1"]
	if _, err := w.fire(play, act{Text: "<wrapped>\n" + text + "\n</wrapped>"}); err != nil {
		return err
	}
	w.active["s1"] = active // to the host it was no prompt either
	if _, err := w.stop(); err != nil {
		return err
	}
	w.note("%s", w.bits(harness.Stop))
	return first(w.count(harness.UserPromptSubmit, before), equal("stop_hook_active", w.bits(harness.Stop), "false true"))
}

func overlapping(w *world) error {
	held := blocking(text)
	held.Sleep = 150 * time.Millisecond
	if err := first(w.answer(harness.Stop, held), w.begin()); err != nil {
		return err
	}
	saw, err := w.fire(string(harness.Stop), act{Times: 2})
	if err != nil {
		return err
	}
	w.note("%s", w.bits(harness.Stop))
	if strings.Count(w.bits(harness.Stop), "false") != 1 {
		return fmt.Errorf("stop_hook_active is %s", w.bits(harness.Stop))
	}
	return w.sees(saw.reasons(), text)
}

func apart(w *world) error {
	other := w.session("s2")
	if err := first(w.answer(harness.Stop, blocking(text)), w.begin(), w.beginIn(other, string(harness.SessionStart))); err != nil {
		return err
	}
	for _, s := range []session{w.main(), other, w.main()} {
		if _, err := w.fire(string(harness.Stop), act{Session: s}); err != nil {
			return err
		}
	}
	w.note("%s", w.bits(harness.Stop))
	return equal("stop_hook_active", w.bits(harness.Stop), "false false true")
}

func forked(w *world) error {
	if err := first(w.answer(harness.Stop, blocking(text)), w.begin()); err != nil {
		return err
	}
	fork := w.session("s2")
	fork.From = "s1"
	if _, err := w.stop(); err != nil {
		return err
	}
	if err := w.beginIn(fork, "fork"); err != nil {
		return err
	}
	saw, err := w.fire(string(harness.Stop), act{Session: fork})
	if err != nil {
		return err
	}
	calls := w.board.calls("Stop")
	if len(calls) != 2 {
		return fmt.Errorf("handlers of Stop ran %d times", len(calls))
	}
	return first(equal("session_id", calls[1].get("session_id"), "s2"), equal("stop_hook_active", calls[1].get("stop_hook_active"), "false"),
		equal("agent_id", calls[1].get("agent_id"), ""), w.sees(saw.reasons(), text))
}

func ungated(play string) func(*world) error {
	return func(w *world) error {
		if err := first(w.answer(harness.Stop, blocking(text)), w.begin()); err != nil {
			return err
		}
		saw, err := w.fire(play, act{})
		if err != nil {
			return err
		}
		return first(w.count(harness.Stop, 0), w.seesNothing(saw.reasons()))
	}
}

// said looks for a loud line in Lorimer's own log: where the host shows it is another case's.
func (w *world) said(words string) error {
	if !strings.Contains(w.log(), words) {
		return fmt.Errorf("%w with %q in it; the log: %s", errNotLoud, words, shown(w.log()))
	}
	return nil
}

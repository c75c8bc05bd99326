package conform

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// faultCases: what breaks never blocks by accident and never passes silently; where a handler is on_error: block, it blocks.
func faultCases(*subject) []kase {
	e := harness.PreToolUse
	closed := func(more string) setup {
		return setup{handler: map[harness.Event]string{e: "on_error: block" + more}}
	}
	brief := setup{handler: map[harness.Event]string{e: "timeout: 400ms"}}
	return []kase{
		{name: "fault: a handler that takes too long", expected: "allowed in time, aloud", needs: events(e), setup: brief, play: allowedAloud(late, "400ms")},
		{
			name: "fault: a handler that takes too long and is on_error: block", expected: "blocked in time, with a reason that names it",
			needs: events(e), claims: effect(e, harness.Block), setup: closed("\n    timeout: 400ms"), play: heldUp(late, "pretooluse"),
		},
		{
			name: "fault: a handler that breaks and is on_error: block", expected: "blocked, with a reason that names it",
			needs: events(e), claims: effect(e, harness.Block), setup: closed(""), play: heldUp(Answer{Exit: 1, Stderr: "broken\n"}, "pretooluse"),
		},
		{
			name: "fault: the dispatcher is missing", expected: "allowed, aloud", needs: all(modules, events(e)), before: withoutDispatcher,
			play: allowedAloud(blocking(text), "could not be started"),
		},
		{
			name: "fault: the dispatcher is missing and a handler is on_error: block", expected: "blocked, with a reason that names it",
			needs: all(modules, events(e)), claims: effect(e, harness.Block), setup: closed(""), before: withoutDispatcher,
			play: heldUp(Answer{}, "could not be started"),
		},
		{
			name: "fault: hooks that nobody agreed to", expected: "not run, aloud", needs: events(e), before: changeManifest,
			play: func(w *world) error {
				return first(allowedAloud(blocking(text), "trust")(w), w.count(e, 0))
			},
		},
		{name: "switch: LORIMER_DISABLE=1", expected: "no handler runs", needs: events(e), setup: setup{env: []string{"LORIMER_DISABLE=1"}}, play: notRun(e)},
		{name: "switch: inside of a handler", expected: "no handler runs", needs: events(e), setup: setup{env: []string{"LORIMER_DEPTH=1"}}, play: notRun(e)},
	}
}

// late takes longer than a handler may, and would block.
var late = Answer{Exit: 2, Stderr: "too late\n", Sleep: time.Minute}

func allowedAloud(a Answer, words string) func(*world) error {
	return func(w *world) error {
		saw, err := w.answered(a)
		if err != nil {
			return err
		}
		return first(w.seesNothing(saw.reasons()), w.inTime(saw), w.said(words))
	}
}

func heldUp(a Answer, words string) func(*world) error {
	return func(w *world) error {
		saw, err := w.answered(a)
		if err != nil {
			return err
		}
		return first(w.sees(saw.reasons(), words), w.inTime(saw))
	}
}

func (w *world) answered(a Answer) (seen, error) {
	if err := w.answer(harness.PreToolUse, a); err != nil {
		return seen{}, err
	}
	return w.reach(harness.PreToolUse, act{})
}

// inTime: a handler's time is up long before it would have ended.
func (w *world) inTime(s seen) error {
	if limit := 20_000; s.MS > limit {
		return fmt.Errorf("it took %d ms", s.MS)
	}
	return nil
}

func withoutDispatcher(w *world) error { return os.Remove(w.options().Dispatcher()) }

func changeManifest(w *world) error {
	f, err := os.OpenFile(filepath.Join(w.clone, ".lorimer", "manifest.json"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString("\n")
	return first(err, f.Close())
}

func notRun(e harness.Event) func(*world) error {
	return func(w *world) error {
		saw, err := w.answered(blocking(text))
		if err != nil {
			return err
		}
		return first(w.count(e, 0), w.seesNothing(saw.reasons()))
	}
}

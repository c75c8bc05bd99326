package conform

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// hostCases: the host itself takes no harm. That nothing is written to its streams is held at the end of every case.
func hostCases(*subject) []kase {
	e := harness.PreToolUse
	return []kase{
		{
			name: "host: it goes on while a hook runs", expected: "its own loop turns", needs: all(modules, events(e)),
			play: func(w *world) error {
				if err := w.answer(e, Answer{Sleep: 400 * time.Millisecond}); err != nil {
					return err
				}
				saw, err := w.reach(e, act{})
				if err != nil {
					return err
				}
				w.note("%d turns in %d ms", saw.Ticks, saw.MS)
				if saw.Ticks < 10 || saw.MS < 400 {
					return fmt.Errorf("%d turns of the loop in %d ms", saw.Ticks, saw.MS)
				}
				return nil
			},
		},
		{
			name: "host: strange events harm nobody", expected: "nothing is thrown, and the gate holds behind it", needs: all(modules, events(e)),
			claims: effect(e, harness.Block), play: strange,
		},
		{
			name: "host: a loud line reaches the user", expected: "one line where the host has a place for it, else on standard error",
			needs: all(modules, events(e)), before: withoutDispatcher,
			play: func(w *world) error {
				if _, err := w.reach(e, act{}); err != nil {
					return err
				}
				end, err := w.stage.close()
				lines := append(w.loud, strings.Split(strings.TrimSpace(end.stderr), "\n")...)
				lines = slices.DeleteFunc(lines, func(l string) bool { return !strings.Contains(l, "allowed: its hooks did not run") })
				w.note("%s", shown(lines))
				return first(err, equal("the number of lines", len(lines), 1))
			},
		},
	}
}

func strange(w *world) error {
	var hosts []string
	for _, b := range w.row.Events {
		for _, host := range w.fake.Plays[string(b.Event)] {
			if !slices.Contains(hosts, host) {
				hosts = append(hosts, host)
			}
		}
	}
	if err := w.begin(); err != nil {
		return err
	}
	saw, err := w.stage.(*module).do(w.ctx, "strange", act{Events: hosts, Session: w.main(), Call: w.actOf(harness.PreToolUse, act{}).Call})
	if err != nil {
		return err
	}
	if len(saw.Thrown) > 0 {
		return fmt.Errorf("thrown into the host: %s", shown(saw.Thrown))
	}
	if err := w.answer(harness.PreToolUse, blocking(text)); err != nil {
		return err
	}
	saw, err = w.fire(string(harness.PreToolUse), w.actOf(harness.PreToolUse, act{}))
	if err != nil {
		return err
	}
	return w.sees(saw.reasons(), text)
}

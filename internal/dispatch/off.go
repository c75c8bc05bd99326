package dispatch

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/off"
)

// errOff ends a call early: exit 0, with a line a session. The user switched every handler of the event off, and that holds
// for hooks that fail closed, too.
var errOff = errors.New("switched off with `lorimer off`")

// withoutOff takes out the handlers that the user switched off, and ends the call when none is left.
func (c *call) withoutOff(home string) error {
	list := off.Read(home, c.root, time.Now())
	if len(list) == 0 || len(c.handlers) == 0 {
		return nil
	}
	c.handlers = slices.DeleteFunc(c.handlers, func(h manifest.Handler) bool {
		e, isOff := off.Find(list, h.Name)
		if isOff {
			c.note(fmt.Sprintf("off-%x", e.Since.UnixNano()), fmt.Sprintf("in %s %s", c.root, e))
		}
		return isOff
	})
	if len(c.handlers) > 0 {
		return nil
	}
	_ = c.readPayload() // for the session's name; without it the line is said each time
	c.speakNotices()
	return errOff
}

// switchedOff says by what everything is off, or "". It is for an event of which no handler is known.
func (c *call) switchedOff() string {
	if os.Getenv("LORIMER_DISABLE") == "1" {
		return "LORIMER_DISABLE is 1"
	}
	if home := c.stateHome(); home != "" && c.root != "" {
		for _, e := range off.Read(home, c.root, time.Now()) {
			if e.Handler == "" {
				return fmt.Sprintf("in %s %s", c.root, e)
			}
		}
	}
	return ""
}

package dispatch

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/private"
	"github.com/lorimer-dev/lorimer/internal/state"
)

const usage = "usage: lorimer-dispatch [--root DIR | --user | --portable] [--fail-closed] HARNESS EVENT"

// readArgs reads the command line. --fail-closed is honoured wherever it stands, also beside what cannot be understood.
func (c *call) readArgs() error {
	if len(c.Args) == 0 {
		return c.readBare()
	}
	words, err := c.readFlags()
	if err != nil {
		return err
	}
	if len(words) != 2 {
		return fmt.Errorf("expected a harness and an event, got %d words; %s", len(words), usage)
	}
	if c.harness = c.row(words[0]); c.harness == nil {
		return fmt.Errorf("harness %.60q is not known to this build; %s", words[0], usage)
	}
	c.event = harness.Event(words[1])
	binding, ok := c.harness.Binding(c.event)
	if !ok {
		return fmt.Errorf("event %.60q is not one of %s; %s", words[1], c.harness.Name, usage)
	}
	c.binding = binding
	return nil
}

func (c *call) readFlags() (words []string, err error) {
	for i := 0; i < len(c.Args); i++ {
		arg := c.Args[i]
		dir, isRoot := strings.CutPrefix(arg, "--root=")
		switch {
		case arg == "--fail-closed":
			c.failClosed = true
		case arg == "--user":
			c.user = true
		case arg == "--portable": // tells an entry that is committed from others; the clone is looked for
		case arg == "--root" && i+1 < len(c.Args):
			i++
			c.rootFlag = c.Args[i]
		case isRoot:
			c.rootFlag = dir
		case strings.HasPrefix(arg, "-"):
			err = fmt.Errorf("flag %.60q is not known, or lacks its value; %s", arg, usage)
		default:
			words = append(words, arg)
		}
	}
	return words, err
}

func (c *call) row(id string) *harness.Harness {
	for _, h := range c.Table {
		if h.ID == id {
			return h
		}
	}
	home, err := state.Home()
	if err != nil {
		return nil
	}
	return private.Read(home, id) // the user's own, which no build knows
}

package dispatch

import (
	"fmt"
	"os"
)

// readBare serves a start without any argument. Some hosts run another harness's hook config and pass its arguments over; then
// the payload is all there is to go by. It has to say whose it is and of which event, as the table has it. When the host's own
// config is broken, this start is the only one; when it is not, one of the two claims the event.
func (c *call) readBare() error {
	none := fmt.Errorf("expected a harness and an event, got no words; %s", usage)
	if onTerminal(c.Stdin) || c.readHost() != nil {
		return none
	}
	in := hostPayload{c.host}
	for _, h := range c.Table {
		if len(h.Reads) == 0 || h.Names == nil || h.Speaks == nil || !h.Speaks(in) {
			continue
		}
		binding, ok := h.Binding(h.Names(in))
		if !ok {
			return errNothingToDo // an event that is not bound, in a config that is not ours
		}
		c.harness, c.event, c.binding = h, binding.Event, binding
		return nil
	}
	return none
}

// onTerminal says whether a person would have to type the payload.
func onTerminal(stdin any) bool {
	f, ok := stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// hostName is who sent the payload.
func (c *call) hostName() string {
	if c.harness == nil {
		return "an agent"
	}
	return c.harness.Name
}

package dispatch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/verdict"
)

// rewritten lets the handlers of a later order see the call as those before them made it, and returns those that it is the
// business of now: a guard with an if judges what will run. done is what was run by now, before what the last of it said.
func (c *call) rewritten(before []verdict.Part, done, later []job) []job {
	var input string
	var by []string
	for _, p := range before {
		if p.Block && p.Outcome.Input != "" {
			input, by = p.Outcome.Input, append(by, p.Handler)
		}
	}
	by = slices.Compact(by) // who is shown several files may change each
	if len(by) == 0 {
		return later
	}
	if len(by) > 1 {
		c.say(fmt.Sprintf("%s rewrote the input of one %s without knowing of each other; that of %s holds (give them an order)",
			strings.Join(by, " and "), c.event, by[len(by)-1]))
	}
	c.payload, c.fields = []byte(withMembers(string(c.payload), map[string]string{"tool_input": input})), maps.Clone(c.fields)
	c.fields["tool_input"] = input
	return c.selectedBehind(done)
}

package setup

import (
	"context"

	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// Inspection is what init looks at, in a clone in which hooks stand already: for `lorimer doctor`.
type Inspection struct {
	Agents   []Agent   // that show themselves, and those of Only
	Sources  []Source  // files that hooks stand in, or could
	Overlaps []Overlap // hooks of the agents' own beside these
	Lacks    []string  // what handlers need and is not here
}

// Inspect looks at a clone. Only are the harnesses that its hooks were compiled for; plan is what materialize makes of the clone,
// nil when it makes nothing of it: then what handlers do is not looked at.
func (c *Command) Inspect(ctx context.Context, root string, plan *materialize.Plan) (x Inspection, err error) {
	s := &survey{Root: root, Agents: c.agents(ctx, root), plan: plan}
	if s.Sources, err = c.sources(root); err != nil || plan == nil {
		return Inspection{Agents: s.Agents, Sources: s.Sources}, err
	}
	if err := c.rows(s); err != nil {
		return x, err
	}
	return Inspection{s.Agents, s.Sources, c.others(s), c.needs(s)}, nil
}

// Says is what a person is told of an agent: its version beside the proven one, and where it is.
func (a Agent) Says() (version, where string) { return a.says() }

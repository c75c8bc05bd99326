package materialize

import (
	"fmt"
	"os"

	"github.com/lorimer-dev/lorimer/internal/agree"
	"github.com/lorimer-dev/lorimer/internal/state"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// Program is what a handler runs. A run of Materialize is the user's agreement to it, so it is shown the first time.
type Program struct {
	Name    string `json:"name"`
	Event   string `json:"event"`
	Command string `json:"command"` // a shell line, or the arguments with spaces between them, quoted where that is needed
}

// trust says whether the manifest still has to be trusted, and what in it differs from what the user agreed to before.
func (p *planner) trust() error {
	if p.manifest == nil || trust.Check(p.options.Home, p.Root, p.manifest) == nil {
		return nil
	}
	p.Untrusted = true
	var err error
	if p.Differences, err = agree.Compare(trust.Agreed(p.options.Home, p.Root), p.manifest); err != nil {
		return fmt.Errorf("what would be agreed to cannot be shown: %w", err)
	}
	for _, d := range p.Differences {
		if now := d.Now; now != nil && (d.Was == nil || d.Was.Event != now.Event || d.Was.Command() != now.Command()) {
			p.Commands = append(p.Commands, Program{now.Name, now.Event, now.Command()})
		}
	}
	return nil
}

// byPerson refuses to agree to hooks, or to forget that somebody did, when a hook is what runs us: no agent's program may do
// that in the user's name. Where all is agreed to already, a refresh is nobody's decision, and what nobody agreed to cannot be
// taken back.
func (p *Plan) byPerson() error {
	nothingLost := p.manifest == nil && trust.Agreed(p.options.Home, p.Root) == nil
	if p.manifest != nil && !p.Untrusted || nothingLost {
		return nil
	}
	if err := state.InsideAgent(os.Getenv); err != nil {
		return fmt.Errorf("%s: nothing was changed, because that would change what is trusted: %w", p.Root, err)
	}
	return nil
}

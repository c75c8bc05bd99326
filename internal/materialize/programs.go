package materialize

import (
	"encoding/json"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// Program is what a handler runs. A run of Materialize is the user's agreement to it, so it is shown the first time.
type Program struct {
	Name    string `json:"name"`
	Event   string `json:"event"`
	Command string `json:"command"` // a shell line, or the arguments with spaces between them, quoted where that is needed
}

// programs lists what a manifest runs, in the order of a session's events.
func programs(m manifest.Manifest) []Program {
	var all []Program
	for _, event := range harness.Events {
		for _, h := range m.Events[string(event)] {
			all = append(all, Program{h.Name, string(event), h.Command()})
		}
	}
	return all
}

// trust says whether the manifest still has to be trusted, and what is in it that was not agreed to: all that the manifest
// which stands in the clone does not run, if that one is trusted.
func (p *planner) trust(wanted []Program) {
	if p.manifest == nil || trust.Check(p.options.Home, p.Root, p.manifest) == nil {
		return
	}
	p.Untrusted = true
	var agreed []Program
	if _, cur, _, err := p.read(manifestPath); err == nil && trust.Check(p.options.Home, p.Root, cur) == nil {
		var old manifest.Manifest
		if json.Unmarshal(cur, &old) == nil {
			agreed = programs(old)
		}
	}
	p.Commands = slices.DeleteFunc(wanted, func(x Program) bool { return slices.Contains(agreed, x) })
}

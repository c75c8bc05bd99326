package setup

import (
	"fmt"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// Row is one handler, and what it does in each agent.
type Row struct {
	Name    string        `json:"name"`
	Event   harness.Event `json:"event"`
	Matcher string        `json:"matcher,omitempty"`
	Command string        `json:"command"`
	In      []Cell        `json:"in"`

	handler manifest.Handler
}

// Cell is what a handler does in one agent.
type Cell struct {
	Harness string `json:"harness"`
	Does    string `json:"does"`          // native | blocks | continues | runs | can't | -
	Why     string `json:"why,omitempty"` // of can't, and of runs where more was to be expected
}

// rows fills in what every handler will do in every agent that is served.
func (c *Command) rows(s *survey) error {
	var names []string // in the order of the plan
	for _, r := range s.Ready {
		s.Handlers = append(s.Handlers, c.row(s, r.event, r.handler(c.nativeRow(s)), true))
		names = append(names, r.Name)
	}
	if s.plan == nil {
		return nil
	}
	view, err := manifest.Parse(s.plan.Manifest())
	if err != nil {
		return err
	}
	for _, e := range harness.Events {
		handlers, err := view.All(e)
		if err != nil {
			return err
		}
		for _, h := range handlers {
			if !slices.Contains(names, h.Name) {
				s.Handlers = append(s.Handlers, c.row(s, e, h, false))
			}
		}
	}
	return nil
}

func (c *Command) row(s *survey, e harness.Event, h manifest.Handler, ready bool) Row {
	r := Row{Name: h.Name, Event: e, Matcher: h.Matcher, Command: h.Command(), handler: h}
	for _, x := range c.served(s) {
		r.In = append(r.In, cell(x, e, h, s.itself(x, ready)))
	}
	return r
}

// itself says whether the agent runs the handlers without us.
func (s *survey) itself(h *harness.Harness, ready bool) bool {
	if s.plan == nil || ready {
		return isNative(h)
	}
	for _, x := range s.plan.Harnesses {
		if x.ID == h.ID {
			return x.Itself
		}
	}
	return false
}

// cell says what a handler does in one agent.
func cell(h *harness.Harness, e harness.Event, x manifest.Handler, itself bool) Cell {
	b, has := h.Binding(e)
	cell := Cell{Harness: h.ID}
	switch holds := b.Has(harness.Block) || b.Has(harness.Continue); {
	case itself:
		cell.Does = "native"
	case !x.In(h.ID):
		cell.Does = "-"
	case !has:
		cell.Does, cell.Why = "can't", fmt.Sprintf("%s has no %s", h.Name, e)
	case x.Async || !x.Block:
		cell.Does = "runs"
	case holds && e.Gate():
		cell.Does = "continues"
	case holds && beforehand(e):
		cell.Does = "blocks"
	case beforehand(e) || e.Gate():
		cell.Does, cell.Why = "runs", fmt.Sprintf("%s cannot be held up at %s: a block is only said aloud", h.Name, e)
	default:
		cell.Does = "runs"
	}
	return cell
}

// beforehand says whether a block of the event keeps something from happening.
func beforehand(e harness.Event) bool {
	switch e {
	case harness.PreToolUse, harness.PermissionRequest, harness.UserPromptSubmit, harness.PreCompact:
		return true
	}
	return false
}

// reasons are what is to be said below the table. What the plan warns of has its place with it, and is said once.
func (s *survey) reasons() (all []string) {
	if s.plan != nil {
		return nil
	}
	for _, r := range s.Handlers {
		for _, x := range r.In {
			if line := r.Name + ": " + x.Why; x.Why != "" && !slices.Contains(all, line) {
				all = append(all, line)
			}
		}
	}
	return all
}

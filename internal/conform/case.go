package conform

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// kase is one thing that must hold, and the story that shows it.
type kase struct {
	name     string
	expected string
	setup    setup
	before   func(*world) error // done before the host starts; nil = nothing
	needs    func(*subject) string
	claims   func(*subject) string
	real     bool // played on the installed program
	play     func(*world) error
}

// setup is what a case needs in its clone and around its host.
type setup struct {
	yaml    string                   // more lines of lorimer.yaml
	handler map[harness.Event]string // more of an event's handler, one line
	env     []string                 // more variables of the host
}

// missing says what the imitation lacks to play the case; "" when it can be played.
func (k kase) missing(s *subject) string {
	if k.needs == nil {
		return ""
	}
	return k.needs(s)
}

// cannot says why the case cannot hold, as the descriptor has it; "" when it must.
func (k kase) cannot(s *subject) string {
	if why, ok := s.fake.Cannot[k.name]; ok {
		return why
	}
	if k.claims == nil {
		return ""
	}
	return k.claims(s)
}

// casesOf is the table, for one harness: of its imitation, or of the program itself.
func casesOf(s *subject) (all []kase) {
	if s.Program != nil {
		return realCases(s)
	}
	for _, part := range []func(*subject) []kase{
		eventCases, blockCases, effectCases, toolCases, stopCases, agentCases, faultCases, messageCases, hostCases,
	} {
		all = append(all, part(s)...)
	}
	return slices.DeleteFunc(all, func(k kase) bool { return k.missing(s) == leftOut })
}

// What a case may need, and what a descriptor may claim.

func events(names ...harness.Event) func(*subject) string {
	return func(s *subject) string {
		for _, e := range names {
			if _, ok := s.row.Binding(e); !ok {
				return fmt.Sprintf("%s has no %s", s.row.Name, e)
			}
		}
		return ""
	}
}

func plays(names ...string) func(*subject) string {
	return func(s *subject) string {
		for _, p := range names {
			if _, ok := s.fake.Plays[p]; !ok {
				return fmt.Sprintf("fake.plays says nothing of %s", p)
			}
		}
		return ""
	}
}

func call(tool string) func(*subject) string {
	return func(s *subject) string {
		for _, c := range s.fake.Calls {
			if c.Tool == tool {
				return ""
			}
		}
		return "fake.calls has no " + tool
	}
}

// leftOut is why a case is not in the table at all: it asks for nothing that this kind of host has to do.
const leftOut = "left out"

func modules(s *subject) string {
	if s.row.Kind != harness.Generative {
		return leftOut
	}
	return ""
}

// all joins conditions: the first that is not met is said.
func all(conditions ...func(*subject) string) func(*subject) string {
	return func(s *subject) string {
		for _, c := range conditions {
			if why := c(s); why != "" {
				return why
			}
		}
		return ""
	}
}

func effect(event harness.Event, e harness.Effect) func(*subject) string {
	return func(s *subject) string {
		if b, _ := s.row.Binding(event); !b.Has(e) {
			return fmt.Sprintf("the descriptor has no %s at %s", e, event)
		}
		return ""
	}
}

// Checks. Each says what was seen when it does not hold.

func (w *world) sees(texts []string, want string) error {
	if !has(texts, want) {
		return fmt.Errorf("the host saw %s", shown(texts))
	}
	w.note("%s", shown(texts))
	return nil
}

func (w *world) seesNothing(texts []string) error {
	if len(texts) > 0 {
		return fmt.Errorf("the host saw %s", shown(texts))
	}
	return nil
}

func (w *world) count(event harness.Event, want int) error {
	if got := len(w.board.calls(string(event))); got != want {
		return fmt.Errorf("handlers of %s ran %d times", event, got)
	}
	return nil
}

func equal(what string, got, want any) error {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("%s is %s", what, shown(got))
	}
	return nil
}

// first returns the first fault of several checks.
func first(faults ...error) error {
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

var errNotLoud = errors.New("nobody was told: no line in the log")

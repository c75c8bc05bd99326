package sense

import (
	"fmt"
	"os"
	"sync"

	"github.com/lorimer-dev/lorimer/internal/ancestry"
)

// The steps of the cascade, in their order.
const (
	Override    = "override"     // GT_RUNTIME, or what the caller said
	Environment = "environment"  // signs in the environment
	Files       = "files"        // files in the workspace
	ProcessTree = "process_tree" // our ancestors
	None        = "none"         // no step answered
)

// Detection is which runtime it is and how that was found out.
type Detection struct {
	Provider string   `json:"provider"` // a descriptor's id, or "unknown"
	By       string   `json:"by"`       // the step that answered
	Steps    []Step   `json:"steps"`    // all that were taken
	Warnings []string `json:"warnings"` // what was asked for and could not be done; never nil
}

// Step is one step of the cascade.
type Step struct {
	Name   string   `json:"step"`
	Saw    []string `json:"saw"` // names of variables, files and processes, never their contents
	Answer string   `json:"answer,omitempty"`
	Why    string   `json:"why"`
}

// cascade is one run through the steps.
type cascade struct {
	Options
	warnings []string
	tree     func() ([]ancestry.Process, error)
}

func (c *cascade) run() Detection {
	c.tree = sync.OnceValues(c.Ancestors)
	d := Detection{Provider: Unknown, By: None}
	for _, s := range []struct {
		name string
		take func() Step
	}{{Override, c.override}, {Environment, c.environment}, {Files, c.files}, {ProcessTree, c.processTree}} {
		step := guarded(s.take)
		step.Name = s.name
		if step.Saw == nil {
			step.Saw = []string{}
		}
		d.Steps = append(d.Steps, step)
		if step.Answer != "" {
			d.Provider, d.By = step.Answer, s.name
			break
		}
	}
	d.Warnings = append([]string{}, c.warnings...)
	return d
}

// guarded takes one step. One that breaks is one that does not answer.
func guarded(take func() Step) (s Step) {
	defer func() {
		if fault := recover(); fault != nil {
			s = Step{Why: fmt.Sprint("it broke: ", fault)}
		}
	}()
	return take()
}

func (c *cascade) warn(format string, args ...any) {
	c.warnings = append(c.warnings, fmt.Sprintf(format, args...))
}

func (c *cascade) override() Step {
	from, id := "the caller", c.Runtime
	if id == "" {
		from, id = "GT_RUNTIME", c.Getenv("GT_RUNTIME")
	}
	switch {
	case id == "":
		return Step{Why: "GT_RUNTIME is not set"}
	case c.knows(id):
		return Step{Saw: []string{from}, Answer: id, Why: from + " says so"}
	}
	c.warn("%s says %q, which is no runtime that is known; it is taken for %s", from, id, Unknown)
	return Step{Saw: []string{from}, Answer: Unknown, Why: from + " names a runtime that is not known"}
}

func (c *cascade) processTree() Step {
	list, err := c.tree()
	s := Step{Saw: shown(list)}
	for _, p := range list {
		for _, r := range c.Rows {
			if looksLike(p, r) {
				s.Answer, s.Why = r.ID, fmt.Sprintf("the nearest ancestor that is known, process %d, is %s", p.PID, r.Name)
				return s
			}
		}
	}
	s.Why = "no ancestor is known"
	if err != nil {
		s.Why = "the process table cannot be read: " + err.Error()
	}
	return s
}

// dir is the working directory.
func (c *cascade) dir() (string, error) {
	if c.Dir != "" {
		return c.Dir, nil
	}
	return os.Getwd()
}

package show

import (
	"fmt"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/sense"
)

// Detect prints which runtime it is, and with explain how that was found out.
func (c *Command) Detect(explain bool) error {
	h, err := c.HAL()
	if err != nil {
		return err
	}
	d := h.Detection()
	if c.JSON {
		if !explain {
			d.Steps = nil
			return c.json(struct {
				Provider string   `json:"provider"`
				By       string   `json:"by"`
				Warnings []string `json:"warnings"`
			}{d.Provider, d.By, d.Warnings})
		}
		return c.json(d)
	}
	c.warn(d.Warnings)
	fmt.Fprintln(c.Stdout, d.Provider)
	if explain {
		c.explain(d)
	}
	return nil
}

func (c *Command) explain(d sense.Detection) {
	for _, s := range d.Steps {
		answer := s.Answer
		if answer == "" {
			answer = "no answer"
		}
		fmt.Fprintf(c.Stdout, "  %-13s %s: %s\n", s.Name, answer, s.Why)
		if len(s.Saw) > 0 {
			fmt.Fprintf(c.Stdout, "  %-13s saw %s\n", "", printable(strings.Join(s.Saw, ", ")))
		}
	}
}

// answers is what `lorimer hal show --json` prints: every method's answer.
type answers struct {
	Provider     string              `json:"provider"`
	By           string              `json:"by"`
	Name         string              `json:"name"`
	Family       string              `json:"family,omitempty"`
	Version      string              `json:"version,omitempty"`
	Startup      string              `json:"startup_strategy"`
	Commands     map[string][]string `json:"startup_commands"`
	Hooks        bool                `json:"supports_hooks"`
	Nudge        bool                `json:"supports_nudge"`
	Restart      bool                `json:"supports_restart"`
	SessionID    *string             `json:"session_id"`
	GUPP         string              `json:"gupp_strategy"`
	Stall        float64             `json:"stall_threshold"` // seconds
	Interval     float64             `json:"nudge_interval"`  // seconds
	NudgeSupport string              `json:"nudge_support"`
	HookSupport  string              `json:"hook_support"`
	ContextFork  bool                `json:"context_fork"`
	Warnings     []string            `json:"warnings"`
}

// Show prints everything that the HAL says.
func (c *Command) Show() error {
	h, err := c.HAL()
	if err != nil {
		return err
	}
	a := all(h)
	if c.JSON {
		return c.json(a)
	}
	c.warn(a.Warnings)
	id := "not known"
	if a.SessionID != nil {
		id = *a.SessionID
	}
	for _, line := range [][2]string{
		{"runtime", a.Provider + " (" + a.Name + "), by " + a.By},
		{"startup", a.Startup},
		{"GUPP", a.GUPP},
		{"hooks", a.HookSupport},
		{"nudge", a.NudgeSupport},
		{"restart", yesNo(a.Restart)},
		{"context fork", yesNo(a.ContextFork)},
		{"session", id},
		{"stalled after", time.Duration(a.Stall * float64(time.Second)).String()},
		{"nudge every", time.Duration(a.Interval * float64(time.Second)).String()},
	} {
		fmt.Fprintf(c.Stdout, "%-14s %s\n", line[0], line[1])
	}
	return nil
}

func all(h *sense.HAL) answers {
	a, out := h.Answers(), map[string][]string{}
	for _, role := range harness.Roles {
		out[role], _ = h.Commands(role)
	}
	x := answers{
		Provider: a.Provider, By: h.Detection().By, Name: a.Name, Family: a.Family, Version: a.Version,
		Startup: a.Startup, Commands: out, Hooks: a.Hooks, Nudge: a.Nudge, Restart: a.Restart,
		GUPP: a.GUPP, Stall: a.Stall.Seconds(), Interval: a.Interval.Seconds(),
		NudgeSupport: a.Range.NudgeSupport, HookSupport: a.Range.Hooks, ContextFork: a.Range.ContextFork, Warnings: a.Warnings,
	}
	if a.SessionID != "" {
		x.SessionID = &a.SessionID
	}
	return x
}

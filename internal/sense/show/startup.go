package show

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Startup prints the commands that start an agent: of one role alone, a line each, so that a shell can run them; of several, or
// of all for none, with the role before them.
func (c *Command) Startup(roles []string) error {
	h, err := c.HAL()
	if err != nil {
		return err
	}
	alone := len(roles) == 1
	if len(roles) == 0 {
		roles = harness.Roles
	}
	a, commands, warnings := h.Answers(), map[string][]string{}, h.Answers().Warnings
	for _, role := range roles {
		lines, warning := h.Commands(role)
		commands[role] = lines
		if warning != "" {
			warnings = append(warnings, warning)
		}
	}
	if c.JSON {
		return c.json(struct {
			Provider string              `json:"provider"`
			Strategy string              `json:"startup_strategy"`
			Commands map[string][]string `json:"startup_commands"`
			Warnings []string            `json:"warnings"`
		}{a.Provider, a.Startup, commands, warnings})
	}
	c.warn(warnings)
	if alone {
		for _, line := range commands[roles[0]] {
			fmt.Fprintln(c.Stdout, line)
		}
		return nil
	}
	fmt.Fprintf(c.Stdout, "%s: %s\n", a.Provider, a.Startup)
	for _, role := range roles {
		fmt.Fprintf(c.Stdout, "  %-9s %s\n", role, joined(commands[role], "(nothing)"))
	}
	return nil
}

// word is what the matrix says in a cell where no label does.
func word(cell string, r harness.Range) string {
	switch cell {
	case "hooks":
		return map[string]string{"full": "Yes", "partial": "Partial", "none": "No"}[r.Hooks]
	case "context_fork":
		return map[bool]string{true: "Yes", false: "No"}[r.ContextFork]
	case "session_id_env":
		return joined(r.SessionEnv, "None")
	case "startup":
		return r.Startup
	case "gupp":
		return r.GUPP
	case "stall":
		return fmt.Sprintf("%gs", r.Stall.Seconds())
	case "nudge":
		return fmt.Sprintf("%gs", r.Nudge.Seconds())
	}
	switch r.NudgeSupport {
	case "none":
		return "No"
	case "limited":
		return "Limited"
	}
	return "Yes (" + r.NudgeSupport + ")"
}

// label returns the matrix's own word for a cell.
func label(cell string, r harness.Range) (string, bool) {
	for _, l := range r.Labels {
		if l.Cell == cell {
			return l.Word, true
		}
	}
	return "", false
}

func cellWord(cell string, r harness.Range) string {
	if w, ok := label(cell, r); ok {
		return w
	}
	return word(cell, r)
}

// escaped keeps a word inside its cell of a Markdown table.
func escaped(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

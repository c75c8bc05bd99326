package dispatch

import (
	"strings"
	"unicode"

	"github.com/lorimer-dev/lorimer/internal/state"
)

// maxLine is the length in bytes at which a loud line is cut: it may quote what a handler printed.
const maxLine = 1000

// say keeps lines that a person has to see. They are written when the answer is known, see answer.
func (c *call) say(lines ...string) {
	for _, line := range lines {
		c.loud = append(c.loud, oneLine(line))
	}
}

// oneLine makes a text fit a line of a terminal or a log: blanks for line breaks, nothing that steers a terminal.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.TrimSpace(s))
	if len(s) > maxLine {
		s = strings.ToValidUTF8(s[:maxLine], "") + "..."
	}
	return s
}

// spoken returns the loud lines as the process prints them, and logs them.
func (c *call) spoken() string {
	if len(c.loud) == 0 {
		return ""
	}
	home := c.stateHome()
	var b strings.Builder
	for _, line := range c.loud {
		b.WriteString("lorimer: " + line + "\n")
		state.Log(home, c.who()+": "+line)
	}
	return b.String()
}

// who names the call in the log: "<harness> <event>", or the command line that could not be read.
func (c *call) who() string {
	if c.harness == nil {
		return oneLine(strings.Join(c.Args, " "))
	}
	return c.harness.ID + " " + string(c.event)
}

// stateHome returns the state home, or "" when there is none; then nothing is logged and nothing is counted.
func (c *call) stateHome() string {
	home, err := state.Home()
	if err != nil {
		return ""
	}
	return home
}

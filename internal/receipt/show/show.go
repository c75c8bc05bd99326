// Package show is `lorimer last`: the last dispatches, for a person or a program.
package show

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/agree"
	"github.com/lorimer-dev/lorimer/internal/receipt"
)

// Default is how many dispatches are shown when nobody says.
const Default = 10

// Command is one command line.
type Command struct {
	Home   string
	Args   []string // at most one: how many
	JSON   bool
	Stdout io.Writer
}

// Run shows the dispatches, the newest last.
func (c *Command) Run() error {
	n := Default
	if len(c.Args) > 0 {
		var err error
		if n, err = strconv.Atoi(c.Args[0]); err != nil || n < 1 {
			return fmt.Errorf("%q; expected how many dispatches to show, a number from 1", c.Args[0])
		}
	}
	list := receipt.Last(c.Home, n)
	if c.JSON {
		enc := json.NewEncoder(c.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(map[string]any{"dispatches": append([]receipt.Dispatch{}, list...)})
	}
	if len(list) == 0 {
		fmt.Fprintln(c.Stdout, "no hook has been dispatched yet on this machine; `lorimer status` says what is in force")
	}
	for _, d := range list {
		c.dispatch(d)
	}
	return nil
}

// dispatch shows one. What it quotes comes from agents and handlers.
func (c *Command) dispatch(d receipt.Dispatch) {
	what := strings.TrimSpace(d.Event + " " + d.Tool)
	fmt.Fprintln(c.Stdout, agree.Plain(fmt.Sprintf("%s  %s  %s  %s  %.1f ms", d.Time.Local().Format("2006-01-02 15:04:05"), d.Harness, what, d.Verdict, d.Millis)))
	if d.Why != "" {
		fmt.Fprintln(c.Stdout, agree.Plain("  why:     "+d.Why))
	}
	for _, h := range d.Handlers {
		fmt.Fprintln(c.Stdout, agree.Plain(fmt.Sprintf("  handler: %s %s, %.1f ms", h.Name, h.Verdict, h.Millis)))
	}
	if d.Head != "" {
		fmt.Fprintln(c.Stdout, agree.Plain("  payload: "+d.Head))
	}
}

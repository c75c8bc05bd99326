package conform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strings"
	"text/tabwriter"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Exit statuses that Run returns.
const (
	Holds   = 0 // every case holds, or cannot
	Differs = 1 // some case failed
	Error   = 2 // nothing could be played
)

// Command is one command line.
type Command struct {
	Config
	IDs    []string // harnesses; none = all that can be imitated
	Cases  []string // only cases with one of these in their names
	Real   bool     // the installed programs, not their imitations
	Exe    []string // argv of the program; none = what the descriptor looks for, on PATH
	JSON   bool
	Quiet  bool // in the table only what failed
	Stdout io.Writer
}

// Run plays and prints. It returns one of Holds, Differs and Error; an error goes with Error.
func (c Command) Run(ctx context.Context) (int, error) {
	if len(c.Cases) > 0 {
		c.Only = c.named
	}
	ids := c.IDs
	if len(ids) == 0 {
		ids = c.imitated()
	}
	rows := []Row{}
	for _, id := range ids {
		c.ID = id
		if c.Real {
			program, err := c.installed(id)
			if err != nil {
				return Error, err
			}
			c.Program = program
		}
		more, err := Run(ctx, c.Config)
		if err != nil {
			return Error, err
		}
		rows = append(rows, more...)
	}
	if len(rows) == 0 {
		return Error, errors.New("there is no such case; `lorimer conform` without --case shows them all")
	}
	if err := c.print(rows); err != nil {
		return Error, err
	}
	for _, r := range rows {
		if r.Result == Failed {
			return Differs, nil
		}
	}
	return Holds, nil
}

// installed finds the program of a harness.
func (c Command) installed(id string) ([]string, error) {
	if len(c.Exe) > 0 {
		return c.Exe, nil
	}
	for _, h := range c.Table {
		for _, exe := range h.Found.Exe {
			if path, err := exec.LookPath(exe); err == nil && h.ID == id {
				return []string{path}, nil
			}
		}
	}
	return nil, fmt.Errorf("%s is not provable here: its program is not on PATH; install it, or name it with --exe", id)
}

func (c Command) named(name string) bool {
	for _, part := range c.Cases {
		if strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			return true
		}
	}
	return false
}

func (c Command) imitated() (ids []string) {
	for _, h := range c.Table {
		if _, err := fs.Stat(c.Golden, harness.FakeData(h.ID)); err == nil {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

func (c Command) print(rows []Row) error {
	if c.JSON {
		enc := json.NewEncoder(c.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(rows)
	}
	tab := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
	count := map[Result]int{}
	for _, r := range rows {
		count[r.Result]++
		if !c.Quiet || r.Result == Failed {
			fmt.Fprintf(tab, "%s\t%s\t%s\n", r.Result, where(r), r.Case)
		}
		switch r.Result {
		case Failed:
			fmt.Fprintf(tab, "\t\t  expected: %s\n\t\t  seen:     %s\n", plain(r.Expected), plain(r.Seen))
		case Cannot:
			if !c.Quiet {
				fmt.Fprintf(tab, "\t\t  %s\n", plain(r.Why))
			}
		}
	}
	fmt.Fprintf(tab, "%d ok, %d failed, %d cannot\n", count[OK], count[Failed], count[Cannot])
	return tab.Flush()
}

// where is the harness, and how it was run.
func where(r Row) string {
	return strings.Join(strings.Fields(strings.Join([]string{r.Harness, r.Mode, r.Carrier}, " ")), "/")
}

// plain keeps a text on its line and off the terminal's controls: it may quote foreign output.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

package pulse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Exit statuses of the commands.
const (
	Done    = 0
	Nothing = 1 // a poll ended without work
	Failed  = 2
)

// Command is what `lorimer hal stalls` and `lorimer hal poll` share.
type Command struct {
	State     string // --state; empty = state/ in the workspace
	Home      string // Lorimer's state home; empty = none
	All       bool   // stalls: show those too that are not
	Threshold Threshold
	JSON      bool
	Stdout    io.Writer
	Stderr    io.Writer
}

// Stalls prints who is silent for too long.
func (c *Command) Stalls(now time.Time) error {
	all, warnings, err := Stalls(c.State, c.Home, now, c.Threshold)
	if err != nil {
		return err
	}
	shown := []Silence{}
	for _, s := range all {
		if s.Stalled || c.All {
			shown = append(shown, s)
		}
	}
	if c.JSON {
		return c.json(map[string]any{"agents": shown, "warnings": warnings})
	}
	c.warn(warnings)
	for _, s := range shown {
		state := "alive"
		if s.Stalled {
			state = "STALLED"
		} else if s.Silent > s.Threshold {
			state = "idle"
		}
		fmt.Fprintf(c.Stdout, "%-8s %s: silent for %s, its runtime (%s) allows %s; %s, seen by %s\n",
			state, printable(s.Agent), duration(s.Silent), s.Runtime, duration(s.Threshold), printable(s.Status), s.Sign)
	}
	return nil
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// printable keeps what files say from steering a terminal.
func printable(text string) string {
	if text == "" {
		return "-"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '?'
		}
		return r
	}, text)
}

// Poll waits and prints what there was.
func (c *Command) Poll(ctx context.Context, p Poll) (status int, err error) {
	p.Dir = c.State
	if _, err := os.Stat(p.Dir); errors.Is(err, fs.ErrNotExist) {
		return Failed, fmt.Errorf("the state directory %s is not there; name another with --state", p.Dir)
	}
	f, err := p.Run(ctx)
	if err != nil {
		return Failed, err
	}
	if !p.Done(f) {
		status = Nothing
	}
	if c.JSON {
		return status, c.json(f)
	}
	c.warn(f.Warnings)
	switch {
	case f.Assignment != nil:
		fmt.Fprintf(c.Stdout, "%s\n", f.Assignment)
	case p.Done(f):
		fmt.Fprintf(c.Stdout, "%s\n", f.Nudge)
	default:
		fmt.Fprintf(c.Stderr, "lorimer: no work for %s; looked in %s for %s\n", p.Agent, filepath.Join(p.Dir, "hooks", p.Agent+".json"), duration(f.Waited))
	}
	return status, nil
}

func (c *Command) warn(list []string) {
	for _, w := range list {
		fmt.Fprintln(c.Stderr, "lorimer:", printable(w))
	}
}

func (c *Command) json(v any) error {
	enc := json.NewEncoder(c.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

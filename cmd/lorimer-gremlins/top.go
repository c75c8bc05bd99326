package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/terminal"
)

// topCmd is for people: it looks again and again, and as it is no call of an orchestrator it keeps nothing alive.
func topCmd(c *command) *cobra.Command {
	var log string
	var every time.Duration
	cmd := sub(c, "top", "Watch bases and jobs in a terminal, until Ctrl-C", func(*cobra.Command) error {
		if every < 100*time.Millisecond {
			return &engine.Refusal{Text: "--every is a duration of at least 100ms, such as 2s"}
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		return c.top(ctx, log, every)
	})
	cmd.Hidden = true
	cmd.Flags().DurationVar(&every, "every", time.Second, "how often to look again")
	return withRun(cmd, &log)
}

// top shows one frame where nobody watches.
func (c *command) top(ctx context.Context, log string, every time.Duration) error {
	if c.Inside() {
		return &engine.Refusal{Text: "top is refused inside a gremlin: it is for people"}
	}
	v, err := c.Peek(log)
	if err != nil {
		return err
	}
	if terminal.Width(os.Stdout) == 0 {
		c.text = frame(v, log)
		return nil
	}
	return watch(ctx, os.Stdout, every, func() (string, error) {
		v, err := c.Peek(log)
		return cut(frame(v, log), terminal.Width(os.Stdout), terminal.Height(os.Stdout)), err
	})
}

// The terminal's other screen: what stood in the window stands there again afterwards.
const (
	enter = "\x1b[?1049h\x1b[?25l"
	leave = "\x1b[?25h\x1b[?1049l"
	home  = "\x1b[H"
	wipe  = "\x1b[K" // the rest of a line
	below = "\x1b[J" // and all below it
)

// watch draws a frame over the last one, until it is told to end or there is none.
func watch(ctx context.Context, out io.Writer, every time.Duration, next func() (string, error)) error {
	io.WriteString(out, enter)
	defer io.WriteString(out, leave)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		text, err := next()
		if err != nil {
			return err
		}
		io.WriteString(out, home+strings.ReplaceAll(text, "\n", wipe+"\n")+below)
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// ended is how many of the jobs that have ended are shown.
const ended = 10

// frame is what the view looks like.
func frame(v engine.View, log string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s  %d running\n\n", engine.Title(log), v.Now.Local().Format("15:04:05"), len(v.Running))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "BASE\tSTATUS\tPHASE\tCACHE\tFOR\tMODEL\tGREMLINS")
	for _, r := range v.Bases {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%d\n", r.Base, r.Status, r.Phase, r.BaseState, left(r, v.Now), r.Model, len(r.Gremlins))
	}
	fmt.Fprintln(w, "\nRUNNING\tKIND\tBASE\tBLOCK\tPHASE\tFOR\tMESSAGES\t")
	for _, r := range v.Running {
		note := ""
		if r.Stalled {
			note = "stalled"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%d\t%s\n", r.Job, r.Kind, r.Base, or(r.Block), r.Phase, clock(time.Duration(r.WallS*float64(time.Second))), r.Messages, note)
	}
	fmt.Fprintln(w, "\nENDED\tKIND\tBASE\tBLOCK\tPHASE\tAGO\tSTATUS\tFLAGS")
	for _, r := range newest(v.Jobs) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", r.Job, r.Kind, r.Base, or(r.Block), r.Phase, clock(v.Now.Sub(r.Ended.Time)), status(r), strings.Join(r.Flags, ","))
	}
	w.Flush()
	return b.String()
}

// left is for how long a base's cache lives on.
func left(r engine.BaseRow, now time.Time) string {
	if r.WarmUntil.IsZero() || !r.WarmUntil.After(now) {
		return "-"
	}
	return clock(r.WarmUntil.Sub(now))
}

func newest(jobs []engine.JobRow) (rows []engine.JobRow) {
	for i := len(jobs) - 1; i >= 0 && len(rows) < ended; i-- {
		if jobs[i].Status != record.Running {
			rows = append(rows, jobs[i])
		}
	}
	return rows
}

// clock is a duration as minutes and seconds, or hours and minutes.
func clock(d time.Duration) string {
	d = max(d, 0).Round(time.Second)
	if d >= time.Hour {
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

func or(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

// cut makes a text fit a window of so many columns and lines; a height of 0 is one that nobody knows.
func cut(text string, width, height int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if height > 1 && len(lines) > height-1 { // the cursor stands in the last one
		lines = lines[:height-1]
	}
	for i, line := range lines {
		if r := []rune(line); len(r) > width {
			line = string(r[:width])
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

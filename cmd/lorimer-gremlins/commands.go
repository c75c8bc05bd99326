package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/usage"
)

// sub is a command that takes flags alone; f gives its answer.
func sub(c *command, use, short string, f func(cmd *cobra.Command) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return f(cmd) }}
}

// withRun adds --run, which every command but where takes.
func withRun(cmd *cobra.Command, log *string) *cobra.Command {
	cmd.Flags().StringVar(log, "run", "", "the run log, a .md file; the state lies beside it")
	cmd.MarkFlagRequired("run")
	return cmd
}

// answered stores an answer, unless there is an error.
func answered[T any](c *command, answer T, err error) error {
	if err == nil {
		c.answer = answer
	}
	return err
}

func whereCmd(c *command) *cobra.Command {
	var id, binary string
	cmd := sub(c, "where", "Can gremlins be used here, and with what?", func(*cobra.Command) error {
		w, err := c.Where(id, binary)
		if err == nil && !w.OK {
			c.exit = exitRefused
		}
		return answered(c, w, err)
	})
	cmd.Flags().StringVar(&id, "harness", c.DefaultHarness(), "which harness is to be driven")
	cmd.Flags().StringVar(&binary, "binary", "", "its program, when it is not to be looked for")
	return cmd
}

func waitCmd(c *command) *cobra.Command {
	var f engine.WaitFlags
	var seconds float64
	cmd := sub(c, "wait", "Wait until something has ended (exit 3: jobs still run, call again; 4: not all ended well)", func(*cobra.Command) (err error) {
		if seconds <= 0 || seconds > engine.Slice.Seconds() {
			return &engine.Refusal{Text: "--timeout-s must be above 0 and at most 540"}
		}
		f.Timeout = time.Duration(seconds * float64(time.Second))
		out, exit, err := c.Wait(f)
		if err == nil {
			c.exit = exit
		}
		return answered(c, out, err)
	})
	cmd.Flags().BoolVar(&f.All, "all", false, "wait until no job runs, not only for the first end")
	cmd.Flags().StringArrayVar(&f.Jobs, "job", nil, "wait for this job alone (repeatable)")
	cmd.Flags().Float64Var(&seconds, "timeout-s", engine.Slice.Seconds(), "seconds that this call takes at most")
	return withRun(cmd, &f.Run)
}

func listCmd(c *command) *cobra.Command {
	var log, format string
	cmd := sub(c, "list", "Show the bases and the jobs", func(*cobra.Command) error {
		out, err := c.List(log)
		if err != nil {
			return err
		}
		switch format {
		case "json":
		case "table":
			c.text = listTable(out)
		default:
			return &engine.Refusal{Text: "--format is json or table"}
		}
		return answered(c, out, nil)
	})
	cmd.Flags().StringVar(&format, "format", "json", "json, or table for people")
	return withRun(cmd, &log)
}

func usageCmd(c *command) *cobra.Command {
	var log, block, format string
	var phase int
	cmd := sub(c, "usage", "Add up what was used", func(cmd *cobra.Command) error {
		q := usage.Query{Block: block, Sums: format != "html" && (format != "md" || block == "")}
		if cmd.Flags().Changed("phase") {
			q.Phase = &phase
		}
		report, err := c.Usage(log, q)
		if err != nil {
			return err
		}
		return c.usageAs(format, log, q, report)
	})
	cmd.Flags().StringVar(&block, "block", "", "the calls of this block alone (a spawn and its continues)")
	cmd.Flags().IntVar(&phase, "phase", 0, "the calls of this phase alone")
	cmd.Flags().StringVar(&format, "format", "json", "json, md for a run log, or html")
	return withRun(cmd, &log)
}

func (c *command) usageAs(format, log string, q usage.Query, report usage.Report) (err error) {
	c.answer = report
	if faults := report.Faults(); faults != "" && format != "json" {
		fmt.Fprintln(os.Stderr, "lorimer gremlins usage:", faults)
	}
	switch format {
	case "json":
	case "html":
		var page []byte
		page, err = report.Page(engine.Title(log))
		c.text = string(page)
	case "md":
		if q.Block == "" {
			c.text = report.PhaseTable()
			break
		}
		heads, err := c.Heads(log)
		if err != nil {
			return err
		}
		c.text = report.BlockTable(heads)
	default:
		return &engine.Refusal{Text: "--format is json, md or html"}
	}
	return err
}

func expireCmd(c *command) *cobra.Command {
	var log, base string
	cmd := sub(c, "expire", "Retire a base, or all of them, and end their jobs", func(*cobra.Command) error {
		out, err := c.Expire(log, base)
		return answered(c, out, err)
	})
	cmd.Flags().StringVar(&base, "base", "", "this base alone")
	return withRun(cmd, &log)
}

func killCmd(c *command) *cobra.Command {
	var log, job string
	cmd := sub(c, "kill", "End a job with all that it started; read ok and status, the exit code is 0", func(*cobra.Command) error {
		out, err := c.Kill(log, job)
		return answered(c, out, err)
	})
	cmd.Flags().StringVar(&job, "job", "", "the job")
	cmd.MarkFlagRequired("job")
	return withRun(cmd, &log)
}

func tickCmd(c *command) *cobra.Command {
	var log string
	return withRun(sub(c, "tick", "Keep warm the bases that need it now", func(*cobra.Command) error {
		out, err := c.Tick(log)
		return answered(c, out, err)
	}), &log)
}

func superviseCmd(c *command) *cobra.Command {
	var log, job string
	cmd := sub(c, "_supervise", "The process behind a job", func(*cobra.Command) error { return c.Supervise(log, job) })
	cmd.Hidden = true
	cmd.Flags().StringVar(&job, "job", "", "")
	return withRun(cmd, &log)
}

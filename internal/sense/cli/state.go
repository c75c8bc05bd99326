package cli

import (
	"context"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/pulse"
	"github.com/lorimer-dev/lorimer/internal/sense"
	"github.com/lorimer-dev/lorimer/internal/sense/show"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func stalls(c *show.Command) *cobra.Command {
	var p pulse.Command
	cmd := &cobra.Command{
		Use:   "stalls",
		Short: "List agents that are silent for longer than their runtime allows",
		Long: `Read <state>/hooks/*.json and list the agents that have work and show no sign of life for
longer than the stall threshold of their runtime. A sign of life is the newest of: the
file's lastActivity, the file's own time, a heartbeat of "lorimer hal poll", the
session's timeline. An agent's runtime stands in its hook file, in agents/ or in its
heartbeat ("runtime"); where it does not, the agent's runtime is unknown. With --runtime
it is that one for all.

Files that cannot be read, or hold something else, are passed over with a warning.

Exit status: 0, also when some are stalled; 2 the state directory cannot be read.`,
		Example: `  lorimer hal stalls --state .chipset/state
  lorimer hal stalls --json | jq -r '.agents[].agent'`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p.JSON, p.Stdout, p.Stderr, p.Threshold = c.JSON, c.Stdout, c.Stderr, thresholds(c)
			p.Home, _ = state.Home() // without one there are no timelines
			return p.Stalls(time.Now())
		},
	}
	stateFlag(cmd, &p)
	cmd.Flags().BoolVar(&p.All, "all", false, "show those too that are alive, or have nothing to do")
	return cmd
}

// thresholds asks the HAL once a runtime. What the command line says of a runtime is said of all agents.
func thresholds(c *show.Command) pulse.Threshold {
	known := map[string]sense.Answers{}
	return func(runtime string) (time.Duration, string) {
		version := ""
		if c.Runtime != "" {
			runtime, version = c.Runtime, c.Version
		}
		if runtime == "" {
			runtime = sense.Unknown
		}
		if _, ok := known[runtime]; !ok {
			known[runtime] = sense.New(sense.Options{Rows: c.Rows, Runtime: runtime, Version: version}).Answers()
		}
		return known[runtime].Stall, known[runtime].Provider
	}
}

func poll(c *show.Command, withStatus func(int, error) error) *cobra.Command {
	var p pulse.Command
	var wait pulse.Poll
	cmd := &cobra.Command{
		Use:   "poll --agent ID",
		Short: "Wait for work for an agent whose runtime cannot be told",
		Long: `The polling loop: look at <state>/hooks/ID.json at once and then at each nudge interval,
and print it as soon as there is work in it (its status is pending or active). Each look
leaves a heartbeat in <state>/heartbeats/ID.json, so that "lorimer hal stalls" does not
take an agent that polls for one that is stalled. Nothing else is written.

Exit status: 0 there is work, 1 the time is up, 2 error.`,
		Example: `  lorimer hal poll --agent polecat-alpha --state .chipset/state
  lorimer hal poll --agent polecat-alpha --timeout 0 --json   # look once
  lorimer hal poll --agent polecat-alpha --dry-run            # look once, leave no heartbeat`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := c.HAL()
			if err != nil {
				return err
			}
			a := h.Answers()
			if wait.Runtime = a.Provider; wait.Interval <= 0 {
				wait.Interval = a.Interval
			}
			p.JSON, p.Stdout, p.Stderr = c.JSON, c.Stdout, c.Stderr
			ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return withStatus(p.Poll(ctx, wait))
		},
	}
	stateFlag(cmd, &p)
	flags := cmd.Flags()
	flags.StringVar(&wait.Agent, "agent", "", "the agent's id")
	flags.DurationVar(&wait.Timeout, "timeout", 10*time.Minute, "how long to wait; 0 looks once")
	flags.DurationVar(&wait.Interval, "interval", 0, "time between two looks; 0 = the runtime's nudge interval")
	flags.BoolVar(&wait.Nudges, "nudges", false, "a nudge ends the wait, too")
	flags.BoolVar(&wait.DryRun, "dry-run", false, "look once, and leave no heartbeat")
	_ = cmd.MarkFlagRequired("agent")
	return cmd
}

func stateFlag(cmd *cobra.Command, p *pulse.Command) {
	cmd.Flags().StringVar(&p.State, "state", "state", "the state directory, which has hooks/ in it")
}

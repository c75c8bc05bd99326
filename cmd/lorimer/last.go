package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/receipt/show"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func newLastCmd() *cobra.Command {
	var c show.Command
	cmd := &cobra.Command{
		Use:   "last [N]",
		Short: "Show the last dispatches: what was asked, who answered what, how long it took",
		Long: `Show the last N dispatches (10 when you don't say) of all clones, the newest last:
time, agent, event and tool, the verdict and why, each handler's own verdict and time,
and the head of the payload. The list is kept in your state home, for you alone, and is
bounded. Events that no handler wanted are not in it.

For everything about each dispatch set LORIMER_DEBUG=FILE in the agent's environment.

Exit status: 0, 2 the arguments make no sense.`,
		Example: `  lorimer last
  lorimer last 1 --json | jq '.dispatches[0].handlers'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if c.Home, err = state.Home(); err != nil {
				return err
			}
			c.Args, c.Stdout = args, cmd.OutOrStdout()
			return c.Run()
		},
	}
	cmd.Flags().BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
	return cmd
}

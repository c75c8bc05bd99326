package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/state"
	"github.com/lorimer-dev/lorimer/internal/status"
)

func newStatusCmd() *cobra.Command {
	var c status.Command
	cmd := &cobra.Command{
		Use:   "status [CLONE...]",
		Short: "Say which hooks are in force in which agent, and prove it",
		Long: `For each agent and handler of a clone: is it in force (the agent's file as it should be,
the manifest trusted, not switched off), when did it run last, how often, how often did
it block, and what does it cost (the median of the last 50 runs, and the slowest 5 %).
A handler that is to block when it cannot be asked (on_error: block), in an agent that would
go on without it, FAILS OPEN IF REMOVED: who deletes lorimer-dispatch is rid of it. That is
no exit status 0; a handler of its own for that agent, without on_error: block, says that
you know.

Whether the agent itself trusts the hooks it cannot know: a handler that never ran is
not proven. One whose event never came in three sessions of its agent, since the hooks
were compiled, is not in force: a prompt, a stop and the like come in every session.

Without CLONE the working directory is meant.

Exit status: 0 all in force, 1 something is not, or fails open, 2 a clone cannot be looked at.`,
		Example: `  lorimer status
  lorimer status ~/src/*/
  lorimer status --json ~/src/app | jq '.clones[].handlers[] | select(.in_force | not)'`,
		RunE: func(cmd *cobra.Command, clones []string) (err error) {
			if c.Home, err = state.Home(); err != nil {
				return err
			}
			c.Table, c.Golden = table.All, golden.FS
			c.Clones, c.Stdout, c.Stderr = clones, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return withStatus(c.Run())
		},
	}
	cmd.Flags().BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
	return cmd
}

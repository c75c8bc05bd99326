package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/agree"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func newTrustCmd() *cobra.Command {
	var c agree.Command
	cmd := &cobra.Command{
		Use:   "trust [CLONE...]",
		Short: "Show what hooks a clone brought along, and agree to them",
		Long: `Show the handlers in a clone's manifest that you have not agreed to on this machine:
new ones, changed ones (what was, what is) and removed ones. Then ask, and record the
answer. Until then none of the clone's handlers is run: neither git clone nor git pull
can bring in a hook that nobody has seen. What your own lorimer materialize wrote is
trusted already.

Where nobody can be asked, in CI, LORIMER_TRUST=1 in the agent's environment runs
whatever handlers there are; one line a session says so.

Without CLONE the working directory is meant.

Exit status: 0 trusted, 1 you said no, 2 a manifest cannot be read, 3 there is something
to agree to and this is no terminal (give --yes).`,
		Example: `  lorimer trust
  lorimer trust --dry-run ~/src/*/       # only show
  lorimer trust --yes .                  # in a script, after you have looked`,
		RunE: func(cmd *cobra.Command, clones []string) (err error) {
			if c.Home, err = state.Home(); err != nil {
				return err
			}
			c.Clones, c.Stdin, c.Stdout, c.Stderr = clones, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			c.Terminal = onTerminal()
			return withStatus(c.Run())
		},
	}
	cmd.Flags().BoolVar(&c.Yes, "yes", false, "agree without being asked")
	cmd.Flags().BoolVar(&c.DryRun, "dry-run", false, "only show, record nothing")
	cmd.Flags().BoolVar(&c.JSON, "json", false, "one JSON document instead of text; never asks")
	return cmd
}

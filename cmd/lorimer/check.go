package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/materialize/fleet"
)

func newCheckCmd() *cobra.Command {
	cmd, c := newFleetCmd(fleet.Check, &cobra.Command{
		Use:   "check",
		Short: "Say what materialize would change",
		Long: `Compare clones with what materialize would write, and write nothing.

With --committed only files that are committed count (see materialize --portable), and no
agent, no trust and nothing else of this machine is looked at: it is for CI, and for a
pre-commit hook:

  #!/bin/sh
  exec lorimer check --committed "$(git rev-parse --show-toplevel)"

Without CLONE the working directory is meant.

Exit status: 0 up to date, 1 something differs (unified diff on stdout), 2 a clone
cannot be checked.`,
		Example: `  lorimer check
  lorimer check ~/src/*/ > drift.diff
  lorimer check --committed                  # in CI
  lorimer check --json . | jq '.clones[].status'`,
	})
	sourceFlags(cmd, c)
	privateFlag(cmd, c)
	cmd.Flags().BoolVar(&c.Committed, "committed", false, "look at what is committed alone, in clones with --portable files: for CI and pre-commit hooks")
	return cmd
}

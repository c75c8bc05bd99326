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

Without CLONE the working directory is meant.

Exit status: 0 up to date, 1 something differs (unified diff on stdout), 2 a clone
cannot be checked.`,
		Example: `  lorimer check
  lorimer check ~/src/*/ > drift.diff
  lorimer check --json . | jq '.clones[].status'`,
	})
	sourceFlags(cmd, c)
	return cmd
}

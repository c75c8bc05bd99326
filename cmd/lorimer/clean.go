package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/materialize/fleet"
)

func newCleanCmd() *cobra.Command {
	cmd, c := newFleetCmd(fleet.Clean, &cobra.Command{
		Use:   "clean",
		Short: "Take everything of lorimer's out of clones again",
		Long: `Undo materialize: remove the files that lorimer wrote, take its entries out of yours,
and forget what is kept of the clone on this machine: that its hooks were trusted, what
is switched off, and their receipts. Your own bytes are what they were before; what you
changed since stays. lorimer.yaml is yours and stays, too.

Copies in .lorimer/backup, of files that --force replaced, are kept.

Without CLONE the working directory is meant.

Exit status: 0 done, 2 a clone failed (the others are done all the same).`,
		Example: `  lorimer clean
  lorimer clean --dry-run .
  lorimer clean ~/src/*/`,
	})
	writeFlags(cmd, c)
	privateFlag(cmd, c)
	return cmd
}

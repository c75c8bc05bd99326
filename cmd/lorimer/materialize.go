package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/materialize/fleet"
)

func newMaterializeCmd() *cobra.Command {
	cmd, c := newFleetCmd(fleet.Materialize, &cobra.Command{
		Use:     "materialize",
		Aliases: []string{"sync"},
		Short:   "Put the hooks of lorimer.yaml into every agent's config",
		Long: `Bring clones up to date with their lorimer.yaml: write the module that an agent
loads, or add an entry to its hook config, for every event that a handler wants;
take out what is wanted no more; and record that you trust these hooks.

Files that are yours are edited in place: comments, order and layout stay, only
lorimer's own entries come, change or go. A file that lorimer did not write is never
overwritten. What lorimer wrote and someone changed is refused with a diff. Running
it again writes nothing.

Without CLONE the working directory is meant.

Exit status: 0 done, 2 a clone failed (the others are done all the same).`,
		Example: `  lorimer materialize                        # this directory
  lorimer materialize --dry-run .            # show the diff first
  lorimer materialize ~/src/*/               # all clones
  lorimer materialize --config team.yaml a b`,
	})
	sourceFlags(cmd, c)
	writeFlags(cmd, c)
	return cmd
}

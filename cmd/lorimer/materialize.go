package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/materialize/fleet"
)

func newMaterializeCmd() *cobra.Command {
	cmd, c := newFleetCmd(fleet.Materialize, &cobra.Command{
		Use:     "materialize",
		Aliases: []string{"sync"},
		Short:   "Put your hooks into every agent's config",
		Long: `Bring clones up to date with their hooks: write the module that an agent loads,
or add an entry to its hook config, for every event that a handler wants; take out
what is wanted no more; and record that you trust these hooks.

The hooks are those of the clone's lorimer.yaml. Without one they are those that
stand in .claude/settings.json and .claude/settings.local.json, as they stand: these
files are read and never changed for it, Claude Code goes on to run its hooks by
itself, and every other agent runs the same ones. What of them runs in Claude alone,
and what Claude itself drops because it is not valid, is said with its place.

Files that are yours are edited in place: comments, order and layout stay, only
lorimer's own entries come, change or go. A file that lorimer did not write is never
overwritten. What lorimer wrote and someone changed is refused with a diff. Running
it again writes nothing.

With --user the hooks in your own ~/.claude/settings.json count, too, as they do in
Claude Code: beside the project's, and overruled by its disableAllHooks.

With --scope user an agent is given its hooks in your own files (like
~/.claude/settings.json), which it reads in every project. They are shared by all
clones that want them so, look for the clone around the agent when they are started,
and go when the last such clone is cleaned.

With --portable agents are given files that can be committed: they name neither this machine
nor this directory, are the same in every checkout, and do nothing where there is no lorimer,
or it was never run (but what must block when it cannot be asked does block, and says how
to install it). Who checks them out runs lorimer init once.

Some agents run no hook that you have not trusted, and say nothing of those that they pass
over. What you have to do there is said; with --trust the agent's own program is told to
trust exactly what was written.

Without CLONE the working directory is meant.

Exit status: 0 done, 2 a clone failed (the others are done all the same).`,
		Example: `  lorimer materialize                        # this directory
  lorimer materialize --dry-run .            # show the diff first
  lorimer materialize ~/src/*/               # all clones
  lorimer materialize --config team.yaml a b
  lorimer materialize --as ../main .         # in a new worktree
  lorimer materialize --portable             # files to be committed
  lorimer materialize --scope user .         # hook the agents in your own files
  lorimer materialize --harness-dir ~/harnesses --harness mine   # an agent of your own descriptor
  lorimer materialize --trust .              # and have them trusted by agents that ask for it`,
	})
	sourceFlags(cmd, c)
	privateFlag(cmd, c)
	writeFlags(cmd, c)
	cmd.Flags().StringVar(&c.As, "as", "", "serve the agents that another checkout, `DIR`, serves, and only if the hooks are those that you agreed to there: for a post-checkout hook")
	cmd.Flags().BoolVar(&c.Trust, "trust", false, "have agents that run only hooks you trust trust these, through their own program")
	return cmd
}

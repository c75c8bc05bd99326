package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/certified"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/setup"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func newInitCmd() *cobra.Command {
	var c setup.Command
	var user bool
	cmd := &cobra.Command{
		Use:   "init [CLONE]",
		Short: "Find your agents and hooks, bring the hooks to every agent, and prove it",
		Long:  initHelp,
		Example: `  lorimer init                               # in your project
  lorimer init --dry-run                     # only look
  lorimer init --yes --with guard,test-gate  # in a project without hooks
  lorimer init --yes --json ~/src/app | jq '.proof[] | select(.proven | not)'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, clones []string) (err error) {
			if c.Home, err = state.Home(); err != nil {
				return err
			}
			c.Dir = "."
			if len(clones) > 0 {
				c.Dir = clones[0]
			}
			c.Table, c.Golden, c.Certified = table.All, golden.FS, certified.All
			c.Stdin, c.Stdout, c.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			c.Terminal = onTerminal()
			if cmd.Flags().Changed("user") {
				c.User = &user
			}
			return withStatus(c.Run(cmd.Context()))
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&c.With, "with", nil, "put these ready hooks into the clone, by `NAME`: guard, formatter, test-gate")
	f.StringSliceVar(&c.Only, "harness", nil, "serve exactly these agents, by `ID`, instead of those that are found; they are remembered")
	f.BoolVar(&user, "user", false, "the hooks in your own ~/.claude/settings.json, too; as it was, if you don't say")
	f.BoolVar(&c.Yes, "yes", false, "write without asking")
	f.BoolVar(&c.DryRun, "dry-run", false, "only show what was found and what would be written")
	f.BoolVar(&c.JSON, "json", false, "one JSON document instead of text; never asks")
	return cmd
}

const initHelp = `One step from the hooks that you have to hooks that every agent obeys. It looks which agents
are here (on PATH, in the clone, in your home) and which hooks (lorimer.yaml, or Claude
Code's settings), and shows what each hook will do in each agent:

  native     the agent runs it by itself, as ever
  blocks     its verdict keeps the call, or the prompt, from happening
  continues  its verdict makes an agent that wants to stop go on
  runs       it is run; at this event there is nothing to hold up
  can't      the agent has no such event

It says what of them cannot work (a file that is missing, a program like jq that is not
installed), and what would fire twice. Then it says what it will write, asks, writes it as
lorimer materialize does, and proves it: a probe takes the place of your hooks, none of which
is run, and the agent's side is imitated over the very files that were written. "proven" means
that the event went from the agent's own file through the dispatcher, the manifest and your
trust in it to a handler, and its answer back to where the agent obeys it.

In a clone without hooks it offers three ready ones. They become files of yours, named in
Claude Code's own settings, so that other people's Claude Code runs them, too; a lorimer.yaml
is not needed for any of this.

Exit status: 0 done and proven, or nothing to do, 1 something is not proven, or you said no,
2 it cannot be done here, 3 there is something to write and this is no terminal (give --yes).`

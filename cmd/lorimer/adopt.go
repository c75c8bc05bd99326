package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/adopt"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func newAdoptCmd() *cobra.Command {
	var c adopt.Command
	cmd := &cobra.Command{
		Use:   "adopt [PATH...]",
		Short: "Take over files and entries that somebody wrote or edited by hand",
		Long: `Make files (PATH, below the clone; all without) what lorimer materialize writes, whoever
wrote them, and keep a copy of each in .lorimer/backup:

  a file or an entry of lorimer's that somebody edited
  a file that lorimer never wrote, with the name that an agent's module must have
  a hook in an agent's own config that says what a handler says, so that the agent
  would run it twice: it is taken out there

Everything else in those files stays, byte for byte. What you want to keep of an edit
belongs into lorimer.yaml, or into an entry or a file of your own.

Exit status: 0 taken over, or nothing was in the way, 2 nothing was taken over.`,
		Example: `  lorimer adopt --dry-run                     # what is in the way, and the diffs
  lorimer adopt .pi/extensions/lorimer.js
  lorimer adopt`,
		RunE: func(cmd *cobra.Command, paths []string) (err error) {
			if c.Home, err = state.Home(); err != nil {
				return err
			}
			c.Table, c.Golden, c.Paths, c.Stdout = table.All, golden.FS, paths, cmd.OutOrStdout()
			return withStatus(c.Run())
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Dir, "clone", ".", "the clone that PATHs are below: `DIR`")
	f.StringSliceVar(&c.Only, "harness", nil, "serve exactly these agents, by `ID`, instead of lorimer.yaml's list")
	f.BoolVar(&c.DryRun, "dry-run", false, "show the diffs, write nothing")
	f.BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
	return cmd
}

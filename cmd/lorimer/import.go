package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/importer"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func newImportCmd() *cobra.Command {
	var c importer.Command
	cmd := &cobra.Command{
		Use:   "import [CLONE]",
		Short: "Move the hooks of Claude's settings into lorimer.yaml",
		Long: `Move the hooks that stand in .claude/settings.json and .claude/settings.local.json into
the clone's lorimer.yaml, and materialize: from then on Claude Code runs them through
Lorimer, as every other agent does. You need this only for what Claude's own file cannot
say (an order, hooks for some agents alone, what holds when one cannot be asked), or for
an agent that reads Claude's settings by itself and would run each hook twice.

A hook stands in one place at a time, so none runs twice afterwards; and at no moment in
none. Everything else in the settings stays as it is, byte for byte: hooks that Claude
alone can run, and those that it drops, are left there and said. A lorimer.yaml that is
there is added to; its own lines are not touched.

Who works on the project without Lorimer has no hooks in Claude Code any more.

Exit status: 0 moved, or nothing to move, 2 nothing was moved.`,
		Example: `  lorimer import --dry-run     # show both diffs
  lorimer import
  lorimer import --json ~/src/app | jq '.moved[].command'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, clones []string) (err error) {
			if c.Home, err = state.Home(); err != nil {
				return err
			}
			c.Dir = "."
			if len(clones) > 0 {
				c.Dir = clones[0]
			}
			c.Table, c.Golden, c.Stdout = table.All, golden.FS, cmd.OutOrStdout()
			return withStatus(c.Run())
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&c.Only, "harness", nil, "serve exactly these agents, by `ID`, instead of lorimer.yaml's list")
	f.BoolVar(&c.DryRun, "dry-run", false, "show the diffs, write nothing")
	f.BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
	return cmd
}

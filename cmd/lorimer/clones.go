package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/materialize/fleet"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// newFleetCmd adds to a command what materialize, check and clean have in common: clones as arguments, what this build knows
// of harnesses, and the user's state home.
func newFleetCmd(mode fleet.Mode, cmd *cobra.Command) (*cobra.Command, *fleet.Command) {
	c := &fleet.Command{Mode: mode}
	c.Table, c.Golden = table.All, golden.FS
	cmd.Use += " [CLONE...]"
	cmd.Flags().BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
	cmd.RunE = func(cmd *cobra.Command, clones []string) (err error) {
		if c.Home, err = state.Home(); err != nil {
			return err
		}
		c.Clones, c.Stdout, c.Stderr = clones, cmd.OutOrStdout(), cmd.ErrOrStderr()
		c.Bar, c.Width = os.Stderr, barWidth()
		return withStatus(c.Run())
	}
	return cmd, c
}

// sourceFlags says where the configuration comes from.
func sourceFlags(cmd *cobra.Command, c *fleet.Command) {
	cmd.Flags().StringVar(&c.Config, "config", "", "use this `FILE` for all clones instead of each one's lorimer.yaml")
	cmd.Flags().StringSliceVar(&c.Only, "harness", nil, "serve exactly these agents, by `ID`, instead of lorimer.yaml's list; as it was, if you don't say; \"default\": the list, or what is found")
	user := cmd.Flags().Bool("user", false, "without a lorimer.yaml: the hooks in your own ~/.claude/settings.json, too; as it was, if you don't say")
	portable := cmd.Flags().Bool("portable", false, "write files that can be committed; as it was, if you don't say")
	cmd.PreRun = func(cmd *cobra.Command, _ []string) {
		if cmd.Flags().Changed("user") {
			c.User = user
		}
		if cmd.Flags().Changed("portable") {
			c.Portable = portable
		}
	}
	cmd.Flags().Var((*scopeFlag)(&c.Scope), "scope", "where agents are given their hooks: project, user (your own files, for every clone) or both; as it was, if you don't say")
}

// scopeFlag is --scope.
type scopeFlag materialize.Scope

func (f *scopeFlag) String() string { return string(*f) }
func (f *scopeFlag) Type() string   { return "LEVEL" }

// Set reads the flag.
func (f *scopeFlag) Set(text string) error {
	s, err := materialize.ParseScope(text)
	*f = scopeFlag(s)
	return err
}

// writeFlags are those of the commands that write.
func writeFlags(cmd *cobra.Command, c *fleet.Command) {
	cmd.Flags().BoolVar(&c.DryRun, "dry-run", false, "show the diff, write nothing")
	cmd.Flags().BoolVar(&c.Force, "force", false, "override what someone changed in lorimer's files; a copy goes to .lorimer/backup")
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/certified"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/doctor"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func newDoctorCmd() *cobra.Command {
	var c doctor.Command
	cmd := &cobra.Command{
		Use:   "doctor [ID...]",
		Short: "Find out why a hook does not do what it should, and what to do about it",
		Long: `Look at everything between an agent and your hooks, and name the remedy for what is not
as it should be. Of the clone: the dispatcher, your trust, what is switched off, files
that are missing, were edited, or were left over by an older lorimer, what handlers need
and is not installed. Of each agent (ID, or all): whether it is installed, which version
and whether lorimer was proven on that, whether the agent itself trusts the project, at
which level it has its hooks, what hides them from it, what runs twice, and events that
never came. Then a probe is sent through each agent's own file, as lorimer init does: none
of your hooks is run.

--live runs the installed agent as well, with a model behind it that says what a case
wants: in a throwaway home, and on Linux in a network namespace that has loopback alone.
It shows whether the version that is here still obeys hooks.

Nothing is written. The clone is that of the working directory, or of --clone.

Exit status: 0 no problem, 1 a problem, with its remedy, 2 it cannot be looked at.`,
		Example: `  lorimer doctor
  lorimer doctor pi --live
  lorimer doctor --json | jq '.findings[] | select(.level == "problem")'`,
		RunE: func(cmd *cobra.Command, ids []string) (err error) {
			if c.Live {
				seal(cmd.ErrOrStderr())
			}
			if c.Home, err = state.Home(); err != nil {
				return err
			}
			c.Table, c.Golden, c.Certified, c.IDs, c.Stdout = table.All, golden.FS, certified.All, ids, cmd.OutOrStdout()
			if c.Handler, err = ourselves(); err != nil {
				return err
			}
			if c.Bundled, err = materialize.BundledDispatcher(); err != nil {
				return err
			}
			return withStatus(c.Run(cmd.Context()))
		},
	}
	cmd.Flags().StringVar(&c.Dir, "clone", ".", "look at this `DIR`")
	cmd.Flags().BoolVar(&c.Live, "live", false, "run the installed agents, too, with a fake model behind them")
	cmd.Flags().BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
	return cmd
}

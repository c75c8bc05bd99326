package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/off"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func newOffCmd() *cobra.Command {
	var c off.Command
	cmd := newSwitchCmd(&c, (*off.Command).Off, &cobra.Command{
		Use:   "off [HANDLER]",
		Short: "Switch a clone's hooks off, for a while",
		Long: `Switch all hooks of a clone off, or one handler, in every agent. The agents' own
configs stay as they are, running agents follow at their next event, and each session
says once that hooks are off and until when. Only for you: an agent's hook that runs it
is refused.

Exit status: 0 done, 2 there is no such clone or handler.`,
		Example: `  lorimer off --for 1h                # all hooks of the clone around you
  lorimer off tests-before-stop       # one handler, until lorimer on
  lorimer off 'settings.json:Stop[0].hooks[0]' --dry-run
  lorimer off --clone ~/src/app`,
	})
	cmd.Flags().DurationVar(&c.For, "for", 0, "how long, like 30m or 1h; else until lorimer on")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("for") && c.For <= 0 { // 0 would be for ever
			return fmt.Errorf("--for %v; expected a time to come, like 30m or 1h, or no --for: then until `lorimer on`", c.For)
		}
		return nil
	}
	return cmd
}

func newOnCmd() *cobra.Command {
	var c off.Command
	return newSwitchCmd(&c, (*off.Command).On, &cobra.Command{
		Use:   "on [HANDLER]",
		Short: "Switch on again what lorimer off switched off",
		Long: `Switch on everything that is off in a clone, or one handler.

Exit status: 0 done, also when nothing was off, 2 there is no such clone or handler.`,
		Example: `  lorimer on
  lorimer on tests-before-stop`,
	})
}

// newSwitchCmd adds what the two commands have in common.
func newSwitchCmd(c *off.Command, do func(*off.Command) error, cmd *cobra.Command) *cobra.Command {
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.Flags().StringVar(&c.Dir, "clone", ".", "the clone, or a `DIR` in it")
	cmd.Flags().BoolVar(&c.DryRun, "dry-run", false, "only say what would be switched")
	cmd.Flags().BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
	cmd.RunE = func(cmd *cobra.Command, handler []string) (err error) {
		if c.Home, err = state.Home(); err != nil {
			return err
		}
		if len(handler) > 0 {
			c.Handler = handler[0]
		}
		c.Stdout = cmd.OutOrStdout()
		return do(c)
	}
	return cmd
}

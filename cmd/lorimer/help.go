package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/usage"
)

// newHelpCmd is cobra's, but for a command that there is not, which is a fault and no help.
func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does, as its --help",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if err := usage.Unknown(root, args); err != nil {
				return err
			}
			about, _, err := root.Find(args)
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// helpOn is what `lorimer help` is asked about; nil when it is not, or about everything.
func helpOn(args []string) []string {
	if len(args) < 2 || args[0] != "help" {
		return nil
	}
	return args[1:]
}

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden/go/certified"
	"github.com/lorimer-dev/lorimer/internal/certify"
)

func newPathsCmd() *cobra.Command {
	var asJSON bool
	var version string
	cmd := &cobra.Command{
		Use:   "paths ID",
		Short: "Show where a runtime lies, and its home",
		Long: `Show all places of a certified runtime. Each lies below Lorimer's own directory
($LORIMER_HOME, else $XDG_STATE_HOME/lorimer, else ~/.local/state/lorimer); nothing is made.`,
		Example: `  lorimer runtime paths omp
  lorimer runtime paths omp --json | jq -r .home`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := runtimeNamed(args[0], version)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), r.paths)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "root     %s\nruntime  %s\nbinary   %s\nagent    %s\nhome     %s\nauth     %s\n",
				r.paths.Root, r.paths.Runtime, r.paths.Binary, r.paths.Agent, r.paths.Home, r.paths.Auth)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	cmd.Flags().StringVar(&version, "version", "", "another exact version than the certified one")
	return cmd
}

func newListCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "The ids of all agents that can be installed, one a line",
		Example: `  for id in $(lorimer runtime list); do lorimer runtime doctor $id; done`,
		Args:    cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			for _, c := range certified.All {
				fmt.Fprintln(cmd.OutOrStdout(), c.ID)
			}
		},
	}
}

func newRuntimeDoctorCmd() *cobra.Command {
	var asJSON, fix bool
	cmd := &cobra.Command{
		Use:   "doctor ID",
		Short: "Say whether a runtime can be launched, and what mends it",
		Long: `Look at an installed runtime: is it there, does it report the certified version, does it
have a home of its own. Nothing is changed, unless with --fix.

Exit status: 0 all is well, 1 something is not, 2 it could not be mended.`,
		Example: `  lorimer runtime doctor omp
  lorimer runtime doctor omp --fix`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := runtimeNamed(args[0], "")
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			fx := certify.World(r.installer("", cmd.ErrOrStderr()))
			if fix {
				if _, err := certify.Ensure(ctx, fx, r.row, r.version, r.paths, false); err != nil {
					return err
				}
			}
			k := certify.Examine(ctx, fx, r.row, r.version, r.paths)
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), k)
			} else {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.Join(k.Lines(), "\n"))
			}
			if err == nil && !k.Healthy {
				return exitStatus(exitDiffer)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	cmd.Flags().BoolVar(&fix, "fix", false, "install what is missing or wrong first")
	return cmd
}

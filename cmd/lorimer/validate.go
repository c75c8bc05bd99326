package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/gen"
)

func newValidateCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate [FILE...]",
		Short: "Check harness descriptors and show every fault with its place",
		Long: `Check descriptors: unknown and duplicate keys, types, regular expressions, JavaScript
snippets that do not parse or use names nobody declares, spellings that YAML reads
as something else. All faults of all files are shown at once, as
file:line:col: what is wrong; what was expected; did you mean ...

Without FILE the built-in descriptors are checked.

Exit status: 0 no fault, 1 faults (on stdout), 2 a file cannot be read.`,
		Example: `  lorimer validate harnesses/*.yaml
  lorimer validate my-agent.yaml`,
		RunE: func(cmd *cobra.Command, files []string) error {
			faults, n, err := gen.Validate(files)
			if err != nil {
				return err
			}
			if faults != nil {
				fmt.Fprintln(cmd.OutOrStdout(), faults)
				return exitStatus(exitDiffer)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d descriptors, no fault\n", n)
			return nil
		},
	}
	return cmd
}

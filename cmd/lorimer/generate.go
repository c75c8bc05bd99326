package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/gen"
)

func newGenerateCmd() *cobra.Command {
	var c gen.Command
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Generate shims, hook configs and Go stubs from the descriptors",
		Long: `Generate everything that Lorimer emits from harness descriptors: shims, native hook
configs and Go stubs. Everything is written, or nothing.

Exit status with --check: 0 the same, 1 it differs (unified diff on stdout), 2 error.`,
		Example: `  lorimer generate --harness-dir ./harnesses --out ./golden
  lorimer generate --harness-dir ./harnesses --out ./golden --check
  lorimer generate --out - | less`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.Stdout = cmd.OutOrStdout()
			return withStatus(c.Run())
		},
	}
	cmd.Flags().StringVar(&c.Out, "out", "golden", "folder to write or to compare with; - prints")
	cmd.Flags().StringVar(&c.HarnessDir, "harness-dir", "", "folder of descriptors instead of the built-in ones")
	cmd.Flags().BoolVar(&c.Check, "check", false, "compare only, write nothing")
	return cmd
}

package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/gen"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/validate"
)

func newValidateCmd() *cobra.Command {
	var format, dir string
	c := validate.Command{Descriptors: gen.Validate, IDs: config.IDs(config.Usable(table.All))}
	cmd := &cobra.Command{
		Use:   "validate [FILE...]",
		Short: "Check harness descriptors and lorimer.yaml, and show every fault with its place",
		Long: `Check descriptors, and files called lorimer.yaml: unknown and duplicate keys, types,
regular expressions, JavaScript snippets that do not parse or use names nobody
declares, spellings that YAML reads as something else. All faults of all files are
shown at once, as
file:line:col: what is wrong; what was expected; did you mean ...

With --format json it is an array of {file, line, col, what, expected, hint, message}
for editors and CI, empty when there is no fault.

Without FILE the built-in descriptors are checked.

Exit status: 0 no fault, 1 faults (on stdout), 2 a file cannot be read.`,
		Example: `  lorimer validate harnesses/*.yaml
  lorimer validate my-agent.yaml
  lorimer validate --harness-dir ~/harnesses
  lorimer validate lorimer.yaml --format json | jq -r '.[] | "\(.line): \(.what)"'`,
		RunE: func(cmd *cobra.Command, files []string) error {
			switch format {
			case "json":
				c.JSON = true
			case "text":
			default:
				return fmt.Errorf("--format is %q; expected text or json", format)
			}
			if dir != "" {
				more, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
				if err != nil || len(more) == 0 {
					return fmt.Errorf("%s: there is no descriptor in it; expected files ID.yaml", dir)
				}
				files = append(files, more...)
			}
			c.Files, c.Stdout = files, cmd.OutOrStdout()
			faulty, err := c.Run()
			if err == nil && faulty {
				return exitStatus(exitDiffer)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "harness-dir", "", "all descriptors of a folder, too")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	cmd.Flags().BoolVar(&c.JSON, "json", false, "short for --format json")
	return cmd
}

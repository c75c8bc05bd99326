package main

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/gen"
	"github.com/lorimer-dev/lorimer/gen/matrix"
	"github.com/lorimer-dev/lorimer/harnesses"
	"github.com/lorimer-dev/lorimer/internal/terminal"
)

func newMatrixCmd() *cobra.Command {
	var format, asOf, dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "matrix [ID...]",
		Short: "Show what each agent can, what of it was proven, and what is a claim",
		Long: `Show, for each agent, which events it has, what an answer to each can do, what it makes of
a hook that breaks, and what its sessions can: yes, partly, no, or unknown. What was seen on
the real program is proven, with the version and the day; everything else is a claim, with
its source.

With --as-of LABEL it is about the versions that the label stands for (seed: those that the
first matrix of the Runtime HAL was written for), of which the sessions alone are known.`,
		Example: `  lorimer matrix
  lorimer matrix claude pi cursor
  lorimer matrix --format html > matrix.html    # one page, nothing else is needed
  lorimer matrix --format md
  lorimer matrix --as-of seed
  lorimer matrix --json | jq -r '.harnesses[] | select(.proof == null) | .id'   # the claimed ones`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			if asJSON {
				format = "json"
			}
			var fsys fs.FS = harnesses.FS
			var proofs fs.FS = harnesses.Proofs
			where := "harnesses"
			if dir != "" {
				fsys, proofs, where = os.DirFS(dir), os.DirFS(dir), dir
			}
			m, err := gen.Matrix(fsys, where, proofs, asOf, ids)
			if err != nil {
				return err
			}
			data, err := rendered(m, format)
			if err == nil {
				_, err = cmd.OutOrStdout().Write(data)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table, md, json or html")
	cmd.Flags().BoolVar(&asJSON, "json", false, "short for --format json")
	cmd.Flags().StringVar(&asOf, "as-of", "", "the versions that a `LABEL` stands for, for example seed; absent = the newest")
	cmd.Flags().StringVar(&dir, "harness-dir", "", "folder of descriptors instead of the built-in ones")
	return cmd
}

func rendered(m matrix.Matrix, format string) ([]byte, error) {
	switch format {
	case "table":
		return []byte(m.Table(terminal.Width(os.Stdout))), nil
	case "md":
		return []byte(m.Markdown()), nil
	case "json":
		return m.JSON()
	case "html":
		return m.HTML()
	}
	return nil, fmt.Errorf("--format is %q; expected table, md, json or html", format)
}

package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/certify"
	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

func newContractCmd() *cobra.Command {
	var asJSON bool
	var version string
	var exe []string
	cmd := &cobra.Command{
		Use:   "contract ID",
		Short: "Hold an installed agent against what is known of it",
		Long: `Run an agent against a fake model, as conform --real does, and look: do the events come
that must, and none that must not exist; what becomes of a call that nobody approves; which
files follow the variables that isolate it, and which are written below HOME all the same.
What is expected is the contract section of its descriptor; what is shown was seen.

The program is the certified runtime (lorimer runtime ensure), or that of --exe.

Exit status: 0 all of it holds, 1 something does not, 2 nothing was seen.`,
		Example: `  lorimer contract omp
  lorimer contract claude --exe "$(which claude)"
  lorimer contract pi --json | jq '.[] | select(.holds | not)'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			seal(cmd.ErrOrStderr())
			r, err := runtimeNamed(args[0], version)
			if err != nil {
				return err
			}
			runtime := ""
			if len(exe) == 0 {
				info, err := certify.Verify(cmd.Context(), certify.World(certify.Installer{}), r.row, r.version, r.paths)
				if err != nil {
					return err
				}
				exe, runtime = info.Program, r.paths.Runtime
			}
			c, err := realConfig(r.row.ID, exe)
			if err != nil {
				return err
			}
			facts, err := certify.Contract(cmd.Context(), c, r.row, runtime)
			if err != nil {
				return err
			}
			return printFacts(cmd.OutOrStdout(), facts, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	cmd.Flags().StringVar(&version, "version", "", "another installed version than the certified one")
	cmd.Flags().StringArrayVar(&exe, "exe", nil, "the program, and what comes first behind it, one `WORD` a flag")
	return cmd
}

// realConfig is what conform needs to run an installed program.
func realConfig(id string, program []string) (c conform.Config, err error) {
	c = conform.Config{Table: table.All, Golden: golden.FS, ID: id, Program: program}
	if c.Handler, err = ourselves(); err != nil {
		return c, err
	}
	c.Dispatcher, err = materialize.BundledDispatcher()
	return c, err
}

func printFacts(w io.Writer, facts []certify.Fact, asJSON bool) error {
	broken := 0
	for _, f := range facts {
		if !f.Holds {
			broken++
		}
	}
	if asJSON {
		if err := printJSON(w, facts); err != nil {
			return err
		}
	} else if err := tableOf(w, facts, broken); err != nil {
		return err
	}
	if broken > 0 {
		return exitStatus(exitDiffer)
	}
	return nil
}

func tableOf(w io.Writer, facts []certify.Fact, broken int) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range facts {
		word := "ok"
		if !f.Holds {
			word = "BROKEN"
		}
		fmt.Fprintf(tab, "%s\t%s\t%s\n", word, f.Fact, f.Seen)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d hold, %d do not\n", len(facts)-broken, broken)
	return err
}

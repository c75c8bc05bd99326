// Package cli is the command line of the Runtime HAL. Two programs have it: `lorimer hal`, and `lorimer-hal`, which links nothing
// else and so starts in half the time.
package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/sense/show"
)

// New returns the command with all below it. name is what the program is called by up to there, for the examples. withStatus
// makes the error of an exit status that is no failure; nil of 0.
func New(rows []*harness.Runtime, name string, withStatus func(status int, err error) error) *cobra.Command {
	c := &show.Command{Rows: rows}
	cmd := &cobra.Command{
		Use:   "hal",
		Short: "Ask which coding agent this runs in, and what can be counted on there",
		Long: `The Runtime HAL: which coding agent runs us, how an agent is started and held to its
rules there, when it counts as stalled. It looks at environment variables, files and
our ancestors, so that nobody else has to; it looks once, and it never fails because a
runtime is not known: then it is "unknown", for which everything has a default.

GT_RUNTIME says which runtime it is. GT_STALL_THRESHOLD, GT_NUDGE_INTERVAL (seconds)
and GT_GUPP_STRATEGY overrule what is said of it.

For Go programs there is the package hal, for JavaScript golden/hal/hal.mjs; see
docs/hal.md.`,
		Example: `  lorimer hal detect --explain
  lorimer hal show --json | jq -r .startup_strategy
  lorimer hal startup polecat --runtime codex --runtime-version 0.117`,
		Args: cobra.NoArgs, // a command that there is not would be a success otherwise
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			c.Stdout, c.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
		},
	}
	flags := cmd.PersistentFlags()
	flags.BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
	flags.StringVar(&c.Runtime, "runtime", "", "the runtime's id, instead of finding out; beats GT_RUNTIME")
	flags.StringVar(&c.Version, "runtime-version", "", "the runtime's version, as it prints it; without one the newest is assumed")
	flags.StringVar(&c.Ancestors, "ancestors", "", "JSON file with a process tree, instead of our own ancestors")
	_ = flags.MarkHidden("ancestors") // for tests, and to see what somebody else's machine shows
	cmd.AddCommand(detect(c), answers(c), startup(c), matrix(c), stalls(c), poll(c, withStatus))
	rename(cmd, name)
	return cmd
}

func detect(c *show.Command) *cobra.Command {
	var explain bool
	cmd := &cobra.Command{
		Use:   "detect",
		Short: "Say which coding agent this runs in",
		Long: `Print the id of the runtime, or "unknown". The first of these that answers wins:
GT_RUNTIME; signs in the environment (of several runtimes, the innermost); files in the
workspace; our ancestors. What Lorimer itself put into the workspace is no sign.

Exit status: 0, whatever the answer is; 2 wrong usage.`,
		Example: `  lorimer hal detect
  lorimer hal detect --explain
  lorimer hal detect --explain --json | jq -r '.steps[] | .step + ": " + .why'`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return c.Detect(explain) },
	}
	cmd.Flags().BoolVar(&explain, "explain", false, "say what each step saw, and why it did or did not answer")
	return cmd
}

func answers(c *show.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Say everything that can be counted on in this runtime",
		Long: `Print every answer of the HAL for this runtime: strategies, hooks, nudges, session, times.

Exit status: 0, whatever the answers are; 2 wrong usage.`,
		Example: `  lorimer hal show
  lorimer hal show --runtime gemini --runtime-version 0.25 --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return c.Show() },
	}
}

func startup(c *show.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "startup [ROLE...]",
		Short: "Print the commands that start an agent in this runtime",
		Long: `Print the shell lines that start an agent of a role, one a line, so that a shell can run
them. There are none where a hook brings the agent its context, and none where it looks
for itself. Without ROLE all roles are shown, with several each with its name.

Exit status: 0, also for a role that is not known; 2 wrong usage.`,
		Example: `  lorimer hal startup
  lorimer hal startup witness --runtime codex --runtime-version 0.117 | sh`,
		RunE: func(_ *cobra.Command, roles []string) error { return c.Startup(roles) },
	}
}

func matrix(c *show.Command) *cobra.Command {
	var asOf string
	cmd := &cobra.Command{
		Use:   "matrix",
		Short: "Print what each runtime can, side by side",
		Long: `Print the capabilities of all runtimes as a Markdown table: of their newest versions, or of
those that a label stands for. As of "seed" it is the table that the HAL began with.

Exit status: 0; 2 wrong usage.`,
		Example: `  lorimer hal matrix
  lorimer hal matrix --as-of seed
  lorimer hal matrix --json | jq '.runtimes[] | {id, gupp: .values.gupp}'`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return c.Matrix(asOf) },
	}
	cmd.Flags().StringVar(&asOf, "as-of", "", "label of the versions to show")
	return cmd
}

// rename puts the program's own name into the examples.
func rename(cmd *cobra.Command, name string) {
	cmd.Example = strings.ReplaceAll(cmd.Example, "lorimer hal", name)
	for _, sub := range cmd.Commands() {
		rename(sub, name)
	}
}

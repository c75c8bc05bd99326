package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/gate"
	"github.com/lorimer-dev/lorimer/internal/gate/prove"
)

func newGateCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "Lock features of an agent, so that what is locked is really gone",
		Long: `A catalog of features is rendered into an agent's own config and command line: what is not
unlocked is absent from what the model is told, or there and refused, as the agent's
descriptor says of each. Everything is locked that --unlock does not name.

The gate is loaded so that it wins over the user's and the project's config. It is written
beside them, and what is not ours in a file that is there is kept, comments too.`,
		Example: `  lorimer gate render omp --unlock mcp,tool:bash
  lorimer gate write omp --dir ~/.omp/agent --unlock mcp
  lorimer gate prove omp                       # on the installed program`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(newGateRenderCmd(), newGateWriteCmd(), newGateParityCmd(), newGateMonotonicCmd(), newGateProveCmd())
	return cmd
}

// gateFlags are those of every gate command.
func gateFlags(cmd *cobra.Command, c *gate.Command) {
	cmd.Flags().StringVar(&c.Catalog, "catalog", "", "`NAME` of the catalog; absent = the newest")
	cmd.Flags().BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
}

func unlockFlag(cmd *cobra.Command, c *gate.Command) {
	cmd.Flags().StringArrayVar(&c.Unlock, "unlock", nil, "`FEATURES` to unlock, joined by commas; all = every one")
}

// gateFor completes the command line.
func gateFor(c *gate.Command, cmd *cobra.Command, id string) *gate.Command {
	c.Golden, c.ID, c.Stdout = golden.FS, id, cmd.OutOrStdout()
	return c
}

func newGateRenderCmd() *cobra.Command {
	var c gate.Command
	cmd := &cobra.Command{
		Use:   "render ID",
		Short: "Show the files of a gate, and with what the agent is started",
		Example: `  lorimer gate render omp                                  # everything locked
  lorimer gate render omp --catalog v1 --unlock tool:file
  lorimer gate render claude --unlock all --json | jq .argv`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return gateFor(&c, cmd, args[0]).Render() },
	}
	gateFlags(cmd, &c)
	unlockFlag(cmd, &c)
	return cmd
}

func newGateWriteCmd() *cobra.Command {
	var c gate.Command
	cmd := &cobra.Command{
		Use:   "write ID",
		Short: "Write the files of a gate: all of them or none",
		Long: `Write the files of a gate into a directory. In a file that is there, keys that are not ours
are kept, with their comments; lists of ours are replaced as a whole. A file that cannot be
read is refused and never replaced. When one file cannot be written, none is.`,
		Example: `  lorimer gate write omp --dir ~/.omp/agent --unlock mcp,skills
  lorimer gate write claude --dir ./gate --dry-run`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return gateFor(&c, cmd, args[0]).Write() },
	}
	gateFlags(cmd, &c)
	unlockFlag(cmd, &c)
	cmd.Flags().StringVar(&c.Dir, "dir", "", "`DIRECTORY` that the files go into; of an agent that has one, its own")
	cmd.Flags().BoolVar(&c.DryRun, "dry-run", false, "only say what would be written")
	return cmd
}

func newGateParityCmd() *cobra.Command {
	var c gate.Command
	cmd := &cobra.Command{
		Use:   "parity ID",
		Short: "Hold that with everything unlocked nothing is locked",
		Long: `Render the gate with every feature unlocked and read back what it leaves on. What is locked
all the same is named. (` + "`gate prove`" + ` shows the same on what the agent really asks its model.)

Exit status: 0 nothing is locked, 1 something is.`,
		Example: `  lorimer gate parity omp --catalog v1
  lorimer gate parity pi --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStatus(gateFor(&c, cmd, args[0]).CheckParity())
		},
	}
	gateFlags(cmd, &c)
	return cmd
}

func newGateMonotonicCmd() *cobra.Command {
	var c gate.Command
	cmd := &cobra.Command{
		Use:   "monotonic ID STEP...",
		Short: "Hold that along a sequence of unlocks no capability is lost",
		Long: `Render each step, a set of features joined by commas ("" is none), read back what it leaves
on, and name every capability that a step has and the next one lacks.

Exit status: 0 nothing is lost, 1 something is.`,
		Example: `  lorimer gate monotonic omp "" mcp mcp,skills all
  lorimer gate monotonic pi tool:bash tool:shell --json`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStatus(gateFor(&c, cmd, args[0]).CheckMonotonic(args[1:]))
		},
	}
	gateFlags(cmd, &c)
	return cmd
}

// demoServerWord makes lorimer the MCP server that a proof puts before an agent; see prove.Serve.
const demoServerWord = "gate-demo-server"

func newGateProveCmd() *cobra.Command {
	var c prove.Command
	cmd := &cobra.Command{
		Use:   "prove ID",
		Short: "Show on the installed program that a gate holds",
		Long: `Run the installed program with a model behind it that calls every tool of the catalog, whether
it was offered or not: without a gate, with everything unlocked, with everything locked, and
with each feature locked while the others are open. What the program answers, and what the
model is told, is what a surface is: present, absent or refused. Each has to be what the
descriptor says; everything unlocked has to be as it is without a gate; and a lock must not
take anything else along. A gate that the program passes over in silence fails.

Everything happens in throwaway homes, with dummy keys, and in a network namespace that has
loopback alone, where the system has such (Linux).

Exit status: 0 the gate holds, 1 it does not, 2 nothing could be shown.`,
		Example: `  lorimer gate prove claude
  lorimer gate prove omp --catalog v1 --exe bun --exe ./cli.js
  lorimer gate prove pi --json | jq '.rows[] | select(.ok | not)'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			seal(cmd.ErrOrStderr())
			exe, err := os.Executable()
			if err != nil {
				return err
			}
			gateFor(&c.Command, cmd, args[0])
			c.Table, c.Server = table.All, []string{exe, demoServerWord}
			return withStatus(c.Prove(cmd.Context()))
		},
	}
	gateFlags(cmd, &c.Command)
	cmd.Flags().StringArrayVar(&c.Exe, "exe", nil, "the program, and what comes first behind it, one `WORD` a flag; absent = on PATH")
	cmd.Flags().IntVar(&c.Jobs, "jobs", 0, "runs at the same time; 0 = one a processor")
	return cmd
}

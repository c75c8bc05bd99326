package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/sandbox"
)

// handlerWord makes lorimer the handler of a case; see conform.Handle.
const handlerWord = "conform-handler"

func newConformCmd() *cobra.Command {
	var c conform.Command
	var dir string
	cmd := &cobra.Command{
		Use:   "conform [ID...]",
		Short: "Prove a descriptor: play a table of cases in an imitation of its host",
		Long: `Load what a descriptor became into the imitation of its host that the descriptor's fake
section describes, with the real dispatcher and a real handler behind it, and play a table
of cases: every event, every form of a block, the loop of a stop that never passes, faults,
sub-agents, messages, strange input. A host that loads modules is played under node and
bun, whichever are here (on PATH, or named by NODE and BUN), and in each of its modes.

What the descriptor says cannot hold is played too, shown as "cannot" with the reason, and
is no failure, unless it does hold.

--real runs the installed program itself, with a model behind it that says what a case wants:
in a throwaway home, with dummy keys and an environment of its own, and in a network
namespace that has loopback alone, where the system has such (Linux); elsewhere a line says
that it is not sealed off.

Everything happens in throwaway directories. Without ID every harness that can be imitated
is proven.

Exit status: 0 all hold or cannot, 1 a case failed, 2 nothing could be played.`,
		Example: `  lorimer conform pi
  lorimer conform pi --case Stop --case fault
  lorimer conform --json | jq '.[] | select(.result == "FAILED")'
  lorimer conform mine --harness-dir ./harnesses   # before it is built in
  lorimer conform claude --real                    # the program on PATH
  lorimer conform pi --real --exe node --exe ./cli.js`,
		RunE: func(cmd *cobra.Command, ids []string) (err error) {
			if c.Real {
				seal(cmd.ErrOrStderr())
			}
			c.Table, c.Golden, c.Carriers, c.IDs, c.Stdout = table.All, golden.FS, conform.FindCarriers(), ids, cmd.OutOrStdout()
			if c.Handler, err = ourselves(); err != nil {
				return err
			}
			if c.Dispatcher, err = materialize.BundledDispatcher(); err != nil {
				return err
			}
			if dir != "" {
				remove, err := unbuilt(&c.Config, dir, ids)
				if err != nil {
					return err
				}
				defer remove()
			}
			return withStatus(c.Run(cmd.Context()))
		},
	}
	cmd.Flags().StringArrayVar(&c.Cases, "case", nil, "only cases with this `TEXT` in their names")
	cmd.Flags().BoolVar(&c.Real, "real", false, "prove the installed program, with a fake model behind it, instead of its imitation")
	cmd.Flags().StringArrayVar(&c.Exe, "exe", nil, "with --real: the program, and what comes first behind it, one `WORD` a flag; absent = on PATH")
	cmd.Flags().StringVar(&dir, "harness-dir", "", "folder of descriptors instead of the built-in ones")
	cmd.Flags().IntVar(&c.Jobs, "jobs", 0, "cases at the same time; 0 = one a processor")
	cmd.Flags().BoolVar(&c.Quiet, "quiet", false, "show only what failed")
	cmd.Flags().BoolVar(&c.JSON, "json", false, "one JSON document instead of text")
	return cmd
}

func ourselves() ([]string, error) {
	exe, err := os.Executable()
	return []string{exe, handlerWord}, err
}

// seal takes the process into a sandbox, that is, it starts it again. Where there is none the user has to know it.
func seal(stderr io.Writer) {
	if err := sandbox.Enter(nil); err != nil {
		fmt.Fprintf(stderr, "lorimer: not sealed off from the network, only pointed away from it: %v\n", err)
	}
}

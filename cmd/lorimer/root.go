package main

import (
	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/usage"
)

// The groups of `lorimer --help`, by who uses them.
const (
	groupEveryday      = "everyday"
	groupTeams         = "teams"
	groupMakers        = "makers"
	groupOrchestrators = "orchestrators"
)

func newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:   "lorimer",
		Short: "Your Claude Code hooks, unchanged, in every coding agent",
		Long: `Lorimer joins your hooks to AI coding agents. Write a hook once, in Claude Code's
protocol; Lorimer makes it work in every agent that it knows, with the same
payload, the same one verdict and the same loop guard.

Where there is no command NAME, lorimer NAME runs the program lorimer-NAME. One
is of this project: lorimer gremlins, the supervisor of agents without a terminal.`,
		Example: `  lorimer init                 # find agents and hooks, bring them together, and prove it
  lorimer materialize .        # put the hooks of ./lorimer.yaml into every agent's config
  lorimer check .              # would that change anything? (exit 1 and a diff)
  lorimer clean .              # take everything out again, byte for byte`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddGroup(
		&cobra.Group{ID: groupEveryday, Title: "Every day:"},
		&cobra.Group{ID: groupTeams, Title: "For teams and many clones:"},
		&cobra.Group{ID: groupMakers, Title: "For makers of harness descriptors:"},
		&cobra.Group{ID: groupOrchestrators, Title: "For orchestrators:"},
	)
	add(root, groupEveryday, newInitCmd(), newStatusCmd(), newDoctorCmd(), newTryCmd(), newLastCmd(), newOffCmd(), newOnCmd(), newCleanCmd())
	add(root, groupTeams, newMaterializeCmd(), newCheckCmd(), newImportCmd(), newAdoptCmd(), newTrustCmd())
	add(root, groupMakers, newMatrixCmd(), newNewCmd(), newValidateCmd(), newSchemaCmd(), newGenerateCmd(), newConformCmd())
	add(root, groupOrchestrators, newGateCmd(), newHALCmd())
	add(root, groupMakers, newContractCmd(), newCertifyCmd())
	add(root, groupOrchestrators, newRuntimeCmd())
	root.SetHelpCommand(newHelpCmd())
	usage.Explain(root)
	return root
}

func add(root *cobra.Command, group string, cmds ...*cobra.Command) {
	for _, c := range cmds {
		c.GroupID = group
		root.AddCommand(c)
	}
}

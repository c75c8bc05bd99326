package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/gen"
)

func newNewCmd() *cobra.Command {
	c := gen.New{Today: time.Now()}
	likes := strings.Join(gen.Likes(), ", ")
	cmd := &cobra.Command{
		Use:   "new ID",
		Short: "Begin a descriptor of an agent that lorimer does not know",
		Long: `Write ID.yaml, a descriptor that is valid at once, with comments that say what is to be
measured, and how. Begin it like the agent that yours resembles: one that loads modules,
one that starts commands and sends them Claude Code's payload, or one that starts commands
with a payload of its own.

A descriptor that generates a module is usable at once, without a build: see --harness-dir of
conform, materialize, generate and validate. A file that is there is never overwritten.`,
		Example: `  lorimer new my-agent --like ` + gen.Likes()[len(gen.Likes())-1] + `
  lorimer new my-agent --like ` + gen.Likes()[0] + ` --name "My Agent" --dir ~/harnesses
  lorimer new my-agent --dry-run`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c.ID, c.Stdout = args[0], cmd.OutOrStdout()
			return c.Run()
		},
	}
	cmd.Flags().StringVar(&c.Like, "like", gen.Likes()[len(gen.Likes())-1], "the agent that it resembles: "+likes)
	cmd.Flags().StringVar(&c.Name, "name", "", "what people call it; absent = the id")
	cmd.Flags().StringVar(&c.Dir, "dir", ".", "`FOLDER` for the file")
	cmd.Flags().BoolVar(&c.DryRun, "dry-run", false, "print the file, write nothing")
	return cmd
}

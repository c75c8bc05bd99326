package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
)

// helpCmd is the help for people; --help is for programs.
func helpCmd(c *command) *cobra.Command {
	return &cobra.Command{Use: "help", Hidden: true, RunE: func(cmd *cobra.Command, _ []string) error {
		var b strings.Builder
		b.WriteString("lorimer gremlins COMMAND [flags]\n\n" + cmd.Root().Short + ".\n\n")
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, sub := range cmd.Root().Commands() {
			if !sub.Hidden {
				fmt.Fprintf(w, "  %s\t%s\n", sub.Name(), sub.Short)
			}
		}
		fmt.Fprintf(w, "  %s\t%s\n", "top", topCmd(c).Short)
		w.Flush()
		b.WriteString("\nlorimer gremlins COMMAND --help lists a command's flags, as JSON.\n")
		c.text = b.String()
		return nil
	}}
}

func listTable(l engine.Listed) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "BASE\tSTATUS\tPHASE\tCACHE\tMODEL\tGREMLINS")
	for _, r := range l.Bases {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%d\n", r.Base, r.Status, r.Phase, r.BaseState, r.Model, len(r.Gremlins))
	}
	fmt.Fprintln(w, "\nJOB\tKIND\tBASE\tBLOCK\tPHASE\tSTATUS\tFLAGS")
	for _, r := range l.Jobs {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", r.Job, r.Kind, r.Base, or(r.Block), r.Phase, status(r), strings.Join(r.Flags, ","))
	}
	w.Flush()
	return b.String()
}

// status is how a job ended, and why.
func status(r engine.JobRow) string {
	if r.Reason == nil {
		return r.Status
	}
	return r.Status + "/" + *r.Reason
}

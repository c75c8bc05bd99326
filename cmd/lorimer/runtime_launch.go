package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/certify"
	"github.com/lorimer-dev/lorimer/internal/gate"
)

func newLaunchCmd() *cobra.Command {
	var print, quiet bool
	var socket string
	var features gate.Command
	cmd := &cobra.Command{
		Use:   "launch ID [-- ARG...]",
		Short: "Start a session of a certified runtime, in a home of its own",
		Long: `Start the certified version of an agent by its absolute path, in the directory you are in,
with a home and a configuration of its own: what stands in yours is neither read nor
written. Variables of yours that would lead it back there are unset, a message socket is
named, and in a clone with Lorimer's hooks an agent that has a form for it stops when it
cannot load them. What is said about all of this stands on standard error.

A runtime that reports another version than the certified one is not started. On Unix the
agent takes the place of this process, so signals and the exit status are its own.

Exit status: that of the agent; 2 it is paused, or could not be started.`,
		Example: `  lorimer runtime launch omp
  lorimer runtime launch pi -- -p "say hello"
  lorimer runtime launch omp --unlock tool:file,skills
  lorimer runtime launch omp --print        # only show argv and environment`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := runtimeNamed(args[0], "")
			if err != nil {
				return err
			}
			fx := certify.World(certify.Installer{})
			info, err := certify.Verify(cmd.Context(), fx, r.row, r.version, r.paths)
			if err != nil {
				return err
			}
			l := launchOf(r, socket, args[1:])
			if info.Handshake.Status == certify.OK { // else it is refused, and no gate is written for it
				if l.Gate, err = r.gated(features, cmd.Flags().Changed("unlock"), print); err != nil {
					return err
				}
			}
			spec, err := certify.Specify(fx, r.row, info, l)
			if err != nil {
				return err
			}
			if !print {
				notes, err := r.hooked(cmd.Context(), info, spec)
				if err != nil {
					return err
				}
				spec.Notes = append(spec.Notes, notes...)
			}
			if print {
				return printJSON(cmd.OutOrStdout(), spec)
			}
			if !quiet {
				fmt.Fprintf(cmd.ErrOrStderr(), "lorimer: %s %s; %s\n", r.row.Name, spec.Version, strings.Join(spec.Notes, "; "))
			}
			return withStatus(certify.Start(spec, os.Environ()))
		},
	}
	cmd.Flags().BoolVar(&print, "print", false, "show argv and environment as JSON instead of starting it")
	cmd.Flags().BoolVar(&quiet, "quiet", false, "say nothing on standard error")
	cmd.Flags().StringArrayVar(&features.Unlock, "unlock", nil, "lock all features but these `FEATURES`, joined by commas (lorimer gate); absent: no gate")
	cmd.Flags().StringVar(&features.Catalog, "catalog", "", "`NAME` of the gate's catalog; absent = the newest")
	cmd.Flags().StringVar(&socket, "rendezvous", "", "the `PATH` of the socket on which the session takes messages; absent: one of its own")
	return cmd
}

func launchOf(r runtimeOf, socket string, args []string) certify.Launch {
	dir, _ := os.Getwd() // gone: then the agent says so
	if socket == "" {
		socket = certify.Socket(r.paths.Root, os.TempDir(), r.row.ID, os.Getpid())
	}
	l := certify.Launch{Args: args, Dir: dir, Environ: os.Environ(), Rendezvous: socket}
	if abs, err := filepath.Abs(socket); err == nil {
		l.Rendezvous = abs
	}
	for _, h := range table.All {
		if h.ID == r.row.ID && h.Shim != nil {
			l.Shim = h.Shim.Project
		}
	}
	return l
}

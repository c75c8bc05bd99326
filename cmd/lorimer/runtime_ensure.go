package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/internal/certify"
)

func newEnsureCmd() *cobra.Command {
	var asJSON, force, dry bool
	var version, from string
	cmd := &cobra.Command{
		Use:   "ensure ID",
		Short: "Install a certified runtime, unless it is there",
		Long: `Make sure that the certified version of an agent is there and runs. One that is there and
reports its version is left alone. Else it is installed from npm, every package with the
bytes that Lorimer has the hash of and no package's own scripts run, beside the place
where it belongs, and then renamed: what is interrupted leaves nothing behind.

--from copies instead: a program, or a directory that has the packages in its node_modules.

Exit status: 0 it is there, 2 it could not be installed, or it reports another version.`,
		Example: `  lorimer runtime ensure omp
  lorimer runtime ensure pi --json | jq .installPerformed
  lorimer runtime ensure codex --from ./codex
  lorimer runtime ensure claude --force      # install it again`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := runtimeNamed(args[0], version)
			if err != nil {
				return err
			}
			if dry {
				return r.plan(cmd.OutOrStdout(), from)
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			info, err := certify.Ensure(ctx, certify.World(r.installer(from, cmd.ErrOrStderr())), r.row, r.version, r.paths, force)
			if err != nil {
				return err
			}
			return shown(cmd, info, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	cmd.Flags().BoolVar(&force, "force", false, "install it again, also when it is there")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would be done")
	cmd.Flags().StringVar(&from, "from", "", "copy this program, or the packages of this `PATH`, instead of installing from npm")
	cmd.Flags().StringVar(&version, "version", "", "another exact version than the certified one")
	return cmd
}

// plan says what ensure would do.
func (r runtimeOf) plan(w io.Writer, from string) error {
	source := "npm: " + r.row.Package + " " + r.version
	if from != "" {
		source = from
	}
	_, err := fmt.Fprintf(w, "%s %s would be verified, and where that fails installed from %s\ninto %s\n", r.row.Name, r.version, source, r.paths.Runtime)
	return err
}

func newVerifyCmd() *cobra.Command {
	var asJSON bool
	var version string
	cmd := &cobra.Command{
		Use:   "verify ID",
		Short: "Ask an installed runtime for its version",
		Long: `Run the installed agent with what makes it print its version, in its own home, and hold
what it says against what is certified.

Exit status: 0 the two are equal, 2 they are not (paused), or it does not run.`,
		Example: `  lorimer runtime verify omp
  lorimer runtime verify omp --json | jq .handshake`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := runtimeNamed(args[0], version)
			if err != nil {
				return err
			}
			info, err := certify.Verify(cmd.Context(), certify.World(certify.Installer{}), r.row, r.version, r.paths)
			if err != nil {
				return err
			}
			return shown(cmd, info, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	cmd.Flags().StringVar(&version, "version", "", "another installed version than the certified one")
	return cmd
}

// shown prints what is known of a runtime; one that is paused has the exit status for it.
func shown(cmd *cobra.Command, info certify.Info, asJSON bool) error {
	if asJSON {
		if err := printJSON(cmd.OutOrStdout(), info); err != nil {
			return err
		}
	} else if info.Handshake.Status == certify.OK {
		what := "is there"
		if info.Installed {
			what = "was installed"
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s %s %s: %s\n", info.Harness, info.Version, what, info.Paths.Binary)
	}
	if info.Handshake.Status == certify.OK {
		return nil
	}
	fmt.Fprintln(cmd.ErrOrStderr(), strings.Join(info.Handshake.Doctor, "\n"))
	return exitStatus(exitError)
}

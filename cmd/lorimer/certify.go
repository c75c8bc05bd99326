package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/harnesses"
	"github.com/lorimer-dev/lorimer/internal/certify"
	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/sandbox"
)

// certifyVersion names, behind the door of the sandbox, the version that was the newest in front of it.
const certifyVersion = "LORIMER_CERTIFY_VERSION"

func newCertifyCmd() *cobra.Command {
	var asJSON bool
	var version, from string
	cmd := &cobra.Command{
		Use:   "certify ID --version VERSION",
		Short: "Prove a descriptor on another version of its agent",
		Long: `Install a version of an agent beside the certified one, and prove the descriptor on it: the
version that it reports, conform --real, its gates and its contract. When all of it holds the change
of the descriptor is printed as a diff; else what broke, all of it.

Exit status: 0 all holds, 1 something broke, 2 it could not be installed or run.`,
		Example: `  lorimer certify pi --version 1.5.2
  lorimer certify claude --version newest
  lorimer certify codex --version 0.171.0 --from ./node_modules`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd)
			defer stop()
			r, info, err := tried(ctx, cmd, args[0], version, from)
			if err != nil {
				return err
			}
			o := certify.Outcome{Harness: r.row.ID, Version: r.version, Certified: r.row.Version}
			if err := o.Prove(ctx, r.proofs(info)); err != nil {
				return err
			}
			if o.Holds {
				if o.Change, err = r.change(); err != nil {
					return err
				}
			}
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), o)
			} else {
				err = o.Show(cmd.OutOrStdout())
			}
			if err == nil && !o.Holds {
				return exitStatus(exitDiffer)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&version, "version", "", "the exact version, or newest")
	cmd.MarkFlagRequired("version")
	cmd.Flags().StringVar(&from, "from", "", "copy this program, or the packages of this `PATH`, instead of installing from npm")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	return cmd
}

// tried installs the version and takes the process into the sandbox, that is, starts it again: what is installed is found there,
// and nothing is fetched any more.
func tried(ctx context.Context, cmd *cobra.Command, id, version, from string) (r runtimeOf, info certify.Info, err error) {
	if r, err = runtimeNamed(id, ""); err != nil {
		return r, info, err
	}
	if found := os.Getenv(certifyVersion); found != "" {
		version = found
	} else if version == "newest" {
		if version, err = certify.Newest(ctx, r.row.Package); err != nil {
			return r, info, err
		}
	}
	if r, err = runtimeNamed(id, version); err != nil {
		return r, info, err
	}
	info, err = certify.Ensure(ctx, certify.World(r.installer(from, cmd.ErrOrStderr())), r.row, r.version, r.paths, false)
	if err != nil {
		return r, info, err
	}
	if err := sandbox.Enter(nil, certifyVersion+"="+version); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "lorimer: not sealed off from the network, only pointed away from it: %v\n", err)
	}
	return r, info, nil
}

// proofs are the steps that a version has to pass.
func (r runtimeOf) proofs(info certify.Info) []certify.Step {
	return []certify.Step{
		{Name: "handshake", Run: func(context.Context) (certify.Proof, error) { return certify.Shaken(info.Handshake), nil }},
		{Name: "conform", Run: func(ctx context.Context) (certify.Proof, error) { return r.conforms(ctx, info) }},
		{Name: "gates", Run: func(ctx context.Context) (certify.Proof, error) { return r.gates(ctx, info) }},
		{Name: "contract", Run: func(ctx context.Context) (certify.Proof, error) { return r.keeps(ctx, info) }},
	}
}

func (r runtimeOf) conforms(ctx context.Context, info certify.Info) (p certify.Proof, err error) {
	c, err := realConfig(r.row.ID, info.Program)
	if err != nil {
		return p, err
	}
	rows, err := conform.Run(ctx, c)
	count := map[conform.Result]int{}
	for _, row := range rows {
		count[row.Result]++
		if row.Result == conform.Failed {
			p.Broken = append(p.Broken, row.Case+"; expected: "+row.Expected+"; seen: "+row.Seen)
		}
	}
	p.Count = fmt.Sprintf("%d cases hold, %d cannot", count[conform.OK], count[conform.Cannot])
	return p, err
}

func (r runtimeOf) keeps(ctx context.Context, info certify.Info) (p certify.Proof, err error) {
	if r.row.Contract == nil {
		return certify.Proof{Count: "the descriptor has none"}, nil
	}
	c, err := realConfig(r.row.ID, info.Program)
	if err != nil {
		return p, err
	}
	facts, err := certify.Contract(ctx, c, r.row, r.paths.Runtime)
	return certify.Kept(facts), err
}

// change is the diff of the descriptor.
func (r runtimeOf) change() (string, error) {
	src, err := harnesses.FS.ReadFile(r.row.ID + ".yaml")
	if err != nil {
		return "", err
	}
	return certify.Change("harnesses/"+r.row.ID+".yaml", src, r.row, r.version, time.Now().Format(time.DateOnly))
}

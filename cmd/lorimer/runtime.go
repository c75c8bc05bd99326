package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lorimer-dev/lorimer/golden/go/certified"
	"github.com/lorimer-dev/lorimer/harnesses"
	"github.com/lorimer-dev/lorimer/internal/certify"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func newRuntimeCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "runtime",
		Short: "Install, verify and launch the versions of agents that Lorimer answers for",
		Long: `A certified runtime is one version of an agent, in a directory of Lorimer's own, with a
home of its own. Nothing else on the machine is touched, and nothing on PATH is used.`,
		Example: `  lorimer runtime ensure omp          # install it, unless it is there
  lorimer runtime launch omp -- -p "say hello"
  lorimer runtime doctor omp`,
	}
	cmd.AddCommand(newEnsureCmd(), newVerifyCmd(), newLaunchCmd(), newPathsCmd(), newRuntimeDoctorCmd(), newListCmd())
	return cmd
}

// runtimeOf is what the commands work on: one version of one harness, and where it is.
type runtimeOf struct {
	row     *harness.Certified
	version string
	paths   certify.Paths
}

// runtimeNamed finds the row and the paths. An empty version is the certified one.
func runtimeNamed(id, version string) (runtimeOf, error) {
	r := runtimeOf{version: version}
	var ids []string
	for _, c := range certified.All {
		ids = append(ids, c.ID)
		if c.ID == id {
			r.row = c
		}
	}
	if r.row == nil {
		return r, fmt.Errorf("no runtime of %q is known; expected one of %s", id, strings.Join(ids, ", "))
	}
	if r.version == "" {
		r.version = r.row.Version
	}
	root, err := state.Home()
	if err != nil {
		return r, err
	}
	r.paths, err = certify.PathsOf(root, r.row, r.version, runtime.GOOS)
	return r, err
}

// installer installs it, and shows what it does on stderr.
func (r runtimeOf) installer(from string, stderr io.Writer) certify.Installer {
	i := certify.Installer{Row: r.row, Version: r.version, From: from, Say: func(line string) { fmt.Fprintln(stderr, "lorimer: "+line) }}
	if r.version == r.row.Version {
		i.Lock, _ = harnesses.Locks.ReadFile("locks/" + r.row.ID + ".json") // that it is there is tested
	}
	if f, ok := stderr.(*os.File); ok && isTerminal(f) {
		i.Tick = certify.Progress(f)
	}
	return i
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !os.SameFile(info, null())
}

// interruptible ends when the user wants the command to end, so that it can clean up.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(cmd.Context(), os.Interrupt, terminate)
}

// printJSON writes one document.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

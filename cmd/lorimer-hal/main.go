// Command lorimer-hal is `lorimer hal` and nothing else: who asks often, from a shell, does not wait for a program that has a
// generator and a bundler in it.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/lorimer-dev/lorimer/golden/go/runtimes"
	"github.com/lorimer-dev/lorimer/internal/sense/cli"
	"github.com/lorimer-dev/lorimer/internal/usage"
)

func main() { os.Exit(run(os.Args[1:])) }

// exitStatus is an error that only carries an exit status.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// run executes one command line and returns its exit status.
func run(args []string) int {
	cmd := cli.New(runtimes.All, "lorimer-hal", withStatus)
	cmd.Use, cmd.SilenceErrors, cmd.SilenceUsage = "lorimer-hal", true, true
	cmd.CompletionOptions.HiddenDefaultCmd = true
	usage.Explain(cmd)
	out := &usage.Output{W: os.Stdout}
	cmd.SetArgs(args)
	cmd.SetOut(out)
	err := cmd.Execute()
	var status exitStatus
	if lost := out.Lost(); lost != nil && (err == nil || errors.As(err, &status)) {
		err = lost
	}
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	}
	fmt.Fprintln(os.Stderr, err)
	return 2
}

func withStatus(status int, err error) error {
	if err != nil || status == 0 {
		return err
	}
	return exitStatus(status)
}

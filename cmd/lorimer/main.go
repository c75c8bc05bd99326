// Command lorimer is the CLI. Each command is a file of its own with no logic in it; the work is done in gen and in the
// engines below internal/.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/lorimer-dev/lorimer/internal/terminal"
	"github.com/lorimer-dev/lorimer/internal/usage"
)

func main() { os.Exit(start(os.Args)) }

// start is what the process is: the command line, or one of the other faces.
func start(argv []string) int {
	if status, ok := otherFace(argv); ok {
		return status
	}
	return run(argv[1:])
}

// run executes one command line and returns its exit status.
func run(args []string) int {
	root := newRootCmd()
	if program := external(root, args); program != "" {
		return runExternal(program, args[1:])
	}
	if topic := helpOn(args); topic != nil {
		if program := external(root, topic); program != "" {
			return runExternal(program, []string{"help"})
		}
	}
	out := &usage.Output{W: terminal.Visible{W: os.Stdout}}
	problems := terminal.Visible{W: os.Stderr}
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(problems)
	err := usage.Unknown(root, args)
	if err == nil {
		err = root.Execute()
	}
	var status exitStatus
	if lost := out.Lost(); lost != nil && (err == nil || errors.As(err, &status)) {
		err = lost
	}
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &status):
		return int(status)
	}
	fmt.Fprintln(problems, err)
	return exitError
}

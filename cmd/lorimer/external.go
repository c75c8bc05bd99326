package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
)

// external is the program behind `lorimer NAME ARG...` where lorimer itself has no command NAME: lorimer-NAME, beside this
// program or on PATH, as git has it. Empty when there is none.
func external(root *cobra.Command, args []string) string {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.ContainsAny(args[0], `/\.`) {
		return ""
	}
	if cmd, _, err := root.Find(args[:1]); err == nil && cmd != root {
		return ""
	}
	name := "lorimer-" + args[0]
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(self), name); executable(beside) {
			return beside
		}
	}
	if found, err := exec.LookPath(name); err == nil {
		return found
	}
	return ""
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// runExternal runs it in our place and returns its exit status.
func runExternal(program string, args []string) int {
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
	return exitError
}

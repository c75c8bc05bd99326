//go:build !unix

package certify

import (
	"errors"
	"os"
	"os/exec"
)

// Start runs the session to its end and returns its exit status. The error says why it could not be started.
func Start(s Spec, caller []string) (status int, err error) {
	cmd := exec.Command(s.Argv[0], s.Argv[1:]...)
	cmd.Dir, cmd.Env = s.Dir, s.Environ(caller)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return failed.ExitCode(), nil
	}
	return 2, err
}

//go:build unix

package certify

import (
	"os/exec"
	"syscall"
)

// endsWhole lets a command be ended with all that it started in its process group.
func endsWhole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

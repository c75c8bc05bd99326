//go:build unix

package conform

import (
	"os/exec"
	"syscall"
)

// endsWithUs makes a program that takes too long end with all that it started.
func endsWithUs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

//go:build unix

package procgroup

import (
	"os/exec"
	"syscall"
)

// Bind gives the command, which has not been started, a process group of its own, which is ended as a whole when the
// command's context ends.
func Bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

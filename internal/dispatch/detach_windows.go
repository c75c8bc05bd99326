//go:build windows

package dispatch

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// startAlone starts the program without our console and outside of our process group.
func (p program) startAlone(stdin, null *os.File) error {
	cmd, err := p.command()
	if err != nil {
		return startFault("", err)
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags = windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.dir, p.env, stdin, null, null
	if err := cmd.Start(); err != nil {
		return startFault(cmd.Path, err)
	}
	return cmd.Process.Release()
}

//go:build unix

package dispatch

import (
	"os"
	"syscall"
)

// startAlone starts the program in a session of its own, so that no signal to ours reaches it.
func (p program) startAlone(stdin, null *os.File) error {
	path, argv := "/bin/sh", []string{"sh", "-c", p.line}
	if len(p.argv) > 0 {
		found, err := p.path()
		if err != nil {
			return startFault(found, err)
		}
		path, argv = found, append([]string{found}, p.argv[1:]...)
	}
	child, err := os.StartProcess(path, argv, &os.ProcAttr{
		Dir: p.dir, Env: p.env, Files: []*os.File{stdin, null, null}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return startFault(path, err)
	}
	return child.Release()
}

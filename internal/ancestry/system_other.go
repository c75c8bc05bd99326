//go:build !linux

package ancestry

import (
	"context"
	"errors"
	"runtime"

	"github.com/shirou/gopsutil/v4/process"
)

// ours is no more than what the library wants: nothing here is ended from outside.
var ours = context.Background()

// system looks a process up in the system's table.
func system(pid int) (Process, int, error) {
	p := &process.Process{Pid: int32(pid)}
	parent, err := p.PpidWithContext(ours)
	if err != nil {
		return Process{}, 0, err
	}
	x := Process{PID: pid}
	x.Exe, _ = p.ExeWithContext(ours) // another user's: then its command line has to do
	if x.Args, err = p.CmdlineSliceWithContext(ours); err != nil && x.Exe == "" {
		return Process{}, 0, err
	}
	if x.Interprets() {
		x.Dir, _ = p.CwdWithContext(ours)
	}
	if runtime.GOOS == "windows" && parent > 0 {
		err = older(p, int(parent))
	}
	if errors.Is(err, errReused) {
		return x, 0, nil
	}
	return x, int(parent), nil
}

var errReused = errors.New("the parent has ended, and its number is another process's now")

// older fails when the parent began after its child. Windows keeps a parent's number after its end, and gives it away again.
func older(p *process.Process, parent int) error {
	born, err := p.CreateTimeWithContext(ours)
	if err != nil {
		return err
	}
	before, err := (&process.Process{Pid: int32(parent)}).CreateTimeWithContext(ours)
	if err == nil && before > born {
		return errReused
	}
	return err
}

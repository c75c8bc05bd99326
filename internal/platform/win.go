package platform

import (
	"errors"
	"syscall"
)

// Windows asks the Win32 API, on first use: the type can be made, and its pure methods used, on every host. The fields can be
// set by tests; [NewWindows] fills them.
type Windows struct {
	FindCygpath func() string                           // Git Bash's cygpath; empty when there is none
	Cygpath     func(tool, path string) (string, error) // its -w form of a path
}

// NewWindows describes this host.
func NewWindows() *Windows { return &Windows{FindCygpath: findCygpath, Cygpath: cygpath} }

func (w *Windows) Name() string          { return "windows" }
func (w *Windows) DetachMethod() string  { return "cim-hidden" }
func (w *Windows) Supported() bool       { return true }
func (w *Windows) Describe() Description { return describe(w) }
func (w *Windows) IsWSL() bool           { return false }

// ProcAttr: every child is started without a window; groups are no matter here.
func (w *Windows) ProcAttr(bool) *syscall.SysProcAttr { return windowsAttr() }

// Detach goes through WMI: a harness ends what it started by process tree, and only a child of the WMI service survives that.
// Such a child gets the user's default environment, not ours, and starts where cwd says. Where there is no WMI (wine), the
// process is started directly, with a warning.
func (w *Windows) Detach(argv []string, cwd, log string) (Detached, error) {
	if len(argv) == 0 {
		return Detached{}, errors.New("detach: no program given")
	}
	pid, missing, err := cimHidden(argv, cwd)
	d := Detached{PID: pid, Method: w.DetachMethod()}
	if missing {
		d.Method = "detached-hidden"
		d.Warning = "there is no WMI here, so the supervisor was started directly: it does not survive a kill of its caller's process tree"
		d.PID, err = detachedHidden(argv, cwd, log)
	}
	if err != nil {
		return Detached{}, err
	}
	d.Ctime, _ = w.Ctime(d.PID)
	return d, nil
}

func (w *Windows) Ctime(pid int) (Ctime, bool) { return windowsCtime(pid) }

// CtimeOf counts 100 ns steps from 1601-01-01.
func (w *Windows) CtimeOf(epoch float64) (Ctime, bool) {
	const to1970 = 11_644_473_600
	return Ctime((epoch + to1970) * 1e7), epoch > 0
}

func (w *Windows) Processes() []Process   { return windowsProcesses() }
func (w *Windows) Terminate(pid int) bool { return pid > 4 && windowsTerminate(pid) }

func (w *Windows) Alive(pid int, ctime Ctime) bool {
	alive, now := windowsAlive(pid)
	return alive && (ctime == 0 || now == 0 || now == ctime)
}

// Ask does nothing: a process without a window hears no request to end.
func (w *Windows) Ask(int) {}

func (w *Windows) TreeKill(pid int) *int { return taskkill(pid) }

func (w *Windows) RestoreNoReplace(from, to string) error { return renameNoReplace(from, to) }

func (w *Windows) VisibleWindows() ([]Window, bool) { return visibleWindows() }

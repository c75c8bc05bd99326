package platform

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"syscall"
)

// Posix is Linux and macOS. The fields can be set by tests; [NewPosix] fills them.
type Posix struct {
	Host      string              // as Description.SysPlatform
	Getenv    func(string) string // for WSL_DISTRO_NAME
	OSRelease func() string       // the kernel's release string
}

// NewPosix describes this host.
func NewPosix() *Posix {
	return &Posix{
		Host:      sysPlatform(),
		Getenv:    os.Getenv,
		OSRelease: func() string { return readFile("/proc/sys/kernel/osrelease") },
	}
}

func (p *Posix) Name() string         { return "posix" }
func (p *Posix) DetachMethod() string { return "setsid" }

// Supported is true on Linux alone: the suite runs there with the real harnesses. Nobody has run it on macOS or in WSL.
func (p *Posix) Supported() bool { return p.Host == "linux" && !p.IsWSL() }

func (p *Posix) Describe() Description {
	d := describe(p)
	d.SysPlatform = p.Host
	return d
}

func (p *Posix) IsWSL() bool {
	return p.Getenv("WSL_DISTRO_NAME") != "" || strings.Contains(strings.ToLower(p.OSRelease()), "microsoft")
}

func (p *Posix) ProcAttr(newGroup bool) *syscall.SysProcAttr { return posixAttr(newGroup) }

func (p *Posix) Detach(argv []string, cwd, log string) (Detached, error) {
	if len(argv) == 0 {
		return Detached{}, errors.New("detach: no program given")
	}
	pid, err := setsid(argv, cwd, log)
	if err != nil {
		return Detached{}, err
	}
	ctime, _ := p.Ctime(pid)
	return Detached{PID: pid, Ctime: ctime, Method: p.DetachMethod()}, nil
}

func (p *Posix) Ctime(pid int) (Ctime, bool)         { return posixCtime(pid) }
func (p *Posix) CtimeOf(epoch float64) (Ctime, bool) { return posixCtimeOf(epoch) }
func (p *Posix) Processes() []Process                { return posixProcesses() }
func (p *Posix) Terminate(pid int) bool              { return pid > 1 && posixKill(pid) }

func (p *Posix) Alive(pid int, ctime Ctime) bool {
	if pid <= 0 || !posixAlive(pid) {
		return false
	}
	now, known := p.Ctime(pid)
	return ctime == 0 || !known || now == ctime
}

func (p *Posix) Ask(pid int) {
	if pid > 1 {
		posixAsk(pid)
		posixAsk(-pid)
	}
}

// TreeKill ends the process group that pid leads. Its sessions' other groups are found by the sweep, not here.
func (p *Posix) TreeKill(pid int) *int {
	if pid > 1 {
		posixKill(-pid)
	}
	return nil
}

// RestoreNoReplace needs no renameat2: a hard link of that name fails when there is one.
func (p *Posix) RestoreNoReplace(from, to string) error {
	if err := os.Link(from, to); err != nil {
		return err
	}
	return os.Remove(from)
}

func (p *Posix) VisibleWindows() ([]Window, bool) { return nil, false }

// Environ lists the processes whose environment holds the entry NAME=value. A process whose environment is not ours to read
// is not listed; on systems that do not show environments the list is empty.
func Environ(entry string) []Process {
	if runtime.GOOS == "windows" {
		return nil
	}
	return posixEnviron(entry)
}

// Package platform is the one place that knows how an operating system starts, names, finds and ends processes, and how it
// spells paths. The supervisor is written against [Platform] alone; a test greps its code for anything that belongs here.
//
// Both families, [Windows] and [Posix], are types on every host: whatever is pure logic (paths, the gate, descriptions) is
// tested for both everywhere. Only what really asks the system is bound to it; on another host those methods answer as if
// there were no such process.
//
// A process is known by its pid and its creation time together ([Ctime]): a pid alone is used again. No method takes a
// process's name; nothing is ever ended by name.
package platform

import (
	"os"
	"runtime"
	"syscall"
)

// Platform is what the supervisor may ask of an operating system.
type Platform interface {
	// Name is "windows" or "posix".
	Name() string

	// DetachMethod is the way that Detach takes first.
	DetachMethod() string

	// Supported says whether the supervisor's suite runs on this system; see [Gate].
	Supported() bool

	// Describe says all of it for people and for reports.
	Describe() Description

	// IsWSL tells Linux under Windows from other Linux. What cannot be read is no evidence.
	IsWSL() bool

	// NormPath makes a path absolute and clean, against cwd, which is absolute already. A form that means something else on
	// this system is refused with a [*PathError].
	NormPath(path, cwd string) (string, error)

	// ProcAttr are the attributes to start a child with: no window of its own, and, with newGroup, a session of its own
	// where the system has sessions.
	ProcAttr(newGroup bool) *syscall.SysProcAttr

	// Detach starts argv so that it outlives the caller, the caller's process group, tree and terminal. Its output goes to
	// the end of the file log, where the system lets us say so.
	Detach(argv []string, cwd, log string) (Detached, error)

	// Ctime is the creation time of a live process; false when there is none or it cannot be read.
	Ctime(pid int) (Ctime, bool)

	// CtimeOf turns seconds since 1970 into a creation time of this boot, for comparison; false where that is not possible.
	CtimeOf(epoch float64) (Ctime, bool)

	// Alive says whether pid runs, and, unless ctime is 0 or cannot be read, whether it is still that process.
	Alive(pid int, ctime Ctime) bool

	// Processes lists what runs now; empty when the system does not tell.
	Processes() []Process

	// Terminate ends one process at once. It reports whether the system took the order.
	Terminate(pid int) bool

	// Ask asks a process, and the group that it leads, to end by itself. Where nothing can be asked it does nothing.
	Ask(pid int)

	// TreeKill ends a process together with what the system itself counts as its group or tree. The result is the exit code
	// of the program that did it, nil where there is none.
	TreeKill(pid int) *int

	// RestoreNoReplace renames, and fails when there is a file of the new name already.
	RestoreNoReplace(from, to string) error

	// VisibleWindows lists the windows that a user sees; false where that is no question.
	VisibleWindows() ([]Window, bool)
}

// Ctime is the creation time of a process, in the system's own unit: on Linux clock ticks since boot, on Windows 100 ns since
// 1601, on macOS microseconds since 1970. Only times of one boot of one host compare. 0 is unknown.
type Ctime int64

// Process is a row of the process table.
type Process struct {
	PID, Parent int
	Name        string // the executable's base name, cut short by some systems
}

// Window is one that a user sees (Windows only).
type Window struct {
	Handle       uintptr
	PID          int
	Class, Title string
}

// Detached is a process that was started to outlive us.
type Detached struct {
	PID     int
	Ctime   Ctime
	Method  string // the way that worked
	Warning string // what is lost by it; empty = nothing
}

// Description is what `where` shows of a platform.
type Description struct {
	Name        string `json:"name"`
	SysPlatform string `json:"sys_platform"`
	WSL         bool   `json:"wsl"`
	Supported   bool   `json:"supported"`
	Detach      string `json:"detach"`
}

// Current is the platform of this host.
var Current = Select()

// Select chooses by the host: the only place that asks which one it is.
func Select() Platform {
	if runtime.GOOS == "windows" {
		return NewWindows()
	}
	return NewPosix()
}

// sysPlatform is the host's name as scripts know it.
func sysPlatform() string {
	if runtime.GOOS == "windows" {
		return "win32"
	}
	return runtime.GOOS
}

func describe(p Platform) Description {
	return Description{Name: p.Name(), SysPlatform: sysPlatform(), WSL: p.IsWSL(), Supported: p.Supported(), Detach: p.DetachMethod()}
}

// readFile is os.ReadFile, but for what cannot be read: that is empty.
func readFile(name string) string {
	b, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(b)
}

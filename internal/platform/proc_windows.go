package platform

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

const stillActive = 259 // STILL_ACTIVE, the exit code of a process that has not ended

func windowsAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
}

func ctimeOf(h windows.Handle) (Ctime, bool) {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &created, &exited, &kernel, &user); err != nil {
		return 0, false
	}
	return Ctime(int64(created.HighDateTime)<<32 | int64(created.LowDateTime)), true
}

func windowsCtime(pid int) (Ctime, bool) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0, false
	}
	defer windows.CloseHandle(h)
	return ctimeOf(h)
}

// windowsAlive: a process that we may not open is alive, but its creation time cannot be checked (0).
func windowsAlive(pid int) (bool, Ctime) {
	if pid <= 0 {
		return false, 0
	}
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED), 0
	}
	defer windows.CloseHandle(h)
	var code uint32
	if err := windows.GetExitCodeProcess(h, &code); err == nil && code != stillActive {
		return false, 0
	}
	created, _ := ctimeOf(h)
	return true, created
}

func windowsProcesses() (all []Process) {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer windows.CloseHandle(snap)
	e := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snap, &e); err == nil; err = windows.Process32Next(snap, &e) {
		all = append(all, Process{PID: int(e.ProcessID), Parent: int(e.ParentProcessID), Name: windows.UTF16ToString(e.ExeFile[:])})
	}
	return all
}

func windowsTerminate(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	return windows.TerminateProcess(h, 1) == nil
}

// system32 is the full path of a program of the system, so that no other of that name on PATH is run.
func system32(parts ...string) string {
	root := os.Getenv("SystemRoot")
	if root == "" {
		root = `C:\Windows`
	}
	return filepath.Join(append([]string{root, "System32"}, parts...)...)
}

func taskkill(pid int) *int {
	cmd := exec.Command(system32("taskkill.exe"), "/T", "/F", "/PID", strconv.Itoa(pid))
	cmd.SysProcAttr = windowsAttr()
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return nil
	}
	code := cmd.ProcessState.ExitCode()
	return &code
}

// renameNoReplace: without MOVEFILE_REPLACE_EXISTING an existing name is an error.
func renameNoReplace(from, to string) error {
	f, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	t, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	if err := windows.MoveFileEx(f, t, 0); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

package platform

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// The command line and the folder reach PowerShell by its environment, so that nothing of them is ever parsed as script.
const (
	cmdVar = "SPIRE_GREMLIN_DETACH_CMD"
	cwdVar = "SPIRE_GREMLIN_DETACH_CWD"
)

// cimScript has the WMI service start a hidden process. It prints Win32_Process.Create's return value, 0 for success, and pid.
const cimScript = `$ErrorActionPreference = 'Stop'
$hidden = New-CimInstance -ClassName Win32_ProcessStartup -ClientOnly -Property @{ ShowWindow = [uint16]0 }
$made = Invoke-CimMethod -ClassName Win32_Process -MethodName Create -Arguments @{
  CommandLine = $env:` + cmdVar + `; CurrentDirectory = $env:` + cwdVar + `; ProcessStartupInformation = $hidden }
'{0} {1}' -f $made.ReturnValue, $made.ProcessId`

func cimHidden(argv []string, cwd string) (pid int, missing bool, err error) {
	shell := system32("WindowsPowerShell", "v1.0", "powershell.exe")
	if _, err := os.Stat(shell); err != nil {
		return 0, true, err
	}
	cmd := exec.Command(shell, "-NoProfile", "-NonInteractive", "-Command", cimScript)
	cmd.SysProcAttr = windowsAttr()
	cmd.Env = append(os.Environ(), cmdVar+"="+windows.ComposeCommandLine(argv), cwdVar+"="+cwd)
	out, err := cmd.CombinedOutput()
	f := strings.Fields(string(out))
	if err != nil || len(f) != 2 {
		// Wine's powershell.exe is a stub that says nothing and succeeds.
		return 0, len(f) == 0, fmt.Errorf("detach through WMI: %w", errors.Join(err, errors.New(strings.TrimSpace(string(out)))))
	}
	if f[0] != "0" {
		return 0, false, fmt.Errorf("detach through WMI: Win32_Process.Create returned %s", f[0])
	}
	pid, err = strconv.Atoi(f[1])
	return pid, false, err
}

func detachedHidden(argv []string, cwd, log string) (int, error) {
	out, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return 0, err
	}
	defer out.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = cwd, out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("detach: %w", err)
	}
	pid := cmd.Process.Pid
	return pid, cmd.Process.Release()
}

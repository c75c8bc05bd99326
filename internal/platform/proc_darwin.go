package platform

import (
	"strings"

	"golang.org/x/sys/unix"
)

const zombie = 5 // SZOMB of <sys/proc.h>

func posixCtime(pid int) (Ctime, bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid {
		return 0, false
	}
	t := k.Proc.P_starttime
	return Ctime(t.Sec*1_000_000 + int64(t.Usec)), true
}

func posixCtimeOf(epoch float64) (Ctime, bool) { return Ctime(epoch * 1e6), epoch > 0 }

func posixAlive(pid int) bool {
	if k, err := unix.SysctlKinfoProc("kern.proc.pid", pid); err == nil && int(k.Proc.P_pid) == pid {
		return k.Proc.P_stat != zombie
	}
	return answers(pid)
}

func posixProcesses() (all []Process) {
	table, _ := unix.SysctlKinfoProcSlice("kern.proc.all")
	for _, k := range table {
		if k.Proc.P_stat != zombie {
			all = append(all, Process{PID: int(k.Proc.P_pid), Parent: int(k.Eproc.Ppid), Name: unix.ByteSliceToString(k.Proc.P_comm[:])})
		}
	}
	return all
}

// posixEnviron: the kernel shows arguments and environment, NUL-separated, of our own processes.
func posixEnviron(entry string) (all []Process) {
	for _, p := range posixProcesses() {
		raw, err := unix.SysctlRaw("kern.procargs2", p.PID)
		if err == nil && strings.Contains(string(raw)+"\x00", "\x00"+entry+"\x00") {
			all = append(all, p)
		}
	}
	return all
}

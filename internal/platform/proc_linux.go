package platform

import (
	"os"
	"strconv"
	"strings"
)

// ticksPerSecond is the kernel's USER_HZ, in which /proc counts. It is 100 on every architecture that Go knows.
const ticksPerSecond = 100

// stat is the part of /proc/<pid>/stat that we read.
type stat struct {
	name   string
	state  byte
	parent int
	start  Ctime // field 22, ticks since boot: a clock that is set does not move it
}

func readStat(pid int) (stat, bool) {
	return parseStat(readFile("/proc/" + strconv.Itoa(pid) + "/stat"))
}

// parseStat: a name may hold spaces and parentheses, so the fields are counted from the last one.
func parseStat(line string) (s stat, ok bool) {
	open, end := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')')
	if open < 0 || end < open {
		return s, false
	}
	f := strings.Fields(line[end+1:])
	if len(f) < 20 {
		return s, false
	}
	parent, err1 := strconv.Atoi(f[1])
	start, err2 := strconv.ParseInt(f[19], 10, 64)
	return stat{name: line[open+1 : end], state: f[0][0], parent: parent, start: Ctime(start)}, err1 == nil && err2 == nil
}

func posixCtime(pid int) (Ctime, bool) {
	s, ok := readStat(pid)
	return s.start, ok
}

func posixCtimeOf(epoch float64) (Ctime, bool) {
	for line := range strings.Lines(readFile("/proc/stat")) {
		if rest, ok := strings.CutPrefix(line, "btime "); ok {
			boot, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			return Ctime((epoch - boot) * ticksPerSecond), err == nil && epoch >= boot
		}
	}
	return 0, false
}

// posixAlive: a zombie has ended; only its parent does not know yet.
func posixAlive(pid int) bool {
	if s, ok := readStat(pid); ok {
		return s.state != 'Z' && s.state != 'X'
	}
	return answers(pid)
}

func pids() (all []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

func posixProcesses() (all []Process) {
	for _, pid := range pids() {
		if s, ok := readStat(pid); ok && s.state != 'Z' && s.state != 'X' {
			all = append(all, Process{PID: pid, Parent: s.parent, Name: s.name})
		}
	}
	return all
}

func posixEnviron(entry string) (all []Process) {
	for _, p := range posixProcesses() {
		env := "\x00" + readFile("/proc/"+strconv.Itoa(p.PID)+"/environ") + "\x00"
		if strings.Contains(env, "\x00"+entry+"\x00") {
			all = append(all, p)
		}
	}
	return all
}

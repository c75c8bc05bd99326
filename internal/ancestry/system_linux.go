package ancestry

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
)

// system reads a process out of /proc. The library that does it elsewhere costs every start of a program that links it a tenth
// of a millisecond here, for what are three files.
func system(pid int) (Process, int, error) {
	dir := "/proc/" + strconv.Itoa(pid)
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return Process{}, 0, err
	}
	parent, err := parentOf(stat)
	if err != nil {
		return Process{}, 0, err
	}
	p := Process{PID: pid}
	p.Exe, _ = os.Readlink(dir + "/exe") // another user's: then its command line has to do
	line, err := os.ReadFile(dir + "/cmdline")
	if err != nil {
		return Process{}, 0, err
	}
	if text := strings.TrimSuffix(string(line), "\x00"); text != "" {
		p.Args = strings.Split(text, "\x00")
	}
	if p.Interprets() {
		p.Dir, _ = os.Readlink(dir + "/cwd")
	}
	return p, parent, nil
}

// parentOf finds the fourth field of stat. The second is the process's name in parentheses, which may hold anything.
func parentOf(stat []byte) (int, error) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, errors.New("its stat file has another form")
	}
	return strconv.Atoi(string(fields[1]))
}

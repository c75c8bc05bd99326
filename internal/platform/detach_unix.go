//go:build unix

package platform

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// stageVar marks the process between the two forks.
const stageVar = "SPIRE_GREMLIN_DETACH_STAGE"

// setsid forks twice: this program, once more, in a session of its own, starts argv there and ends. What remains leads no
// session, so it can never get a terminal, and has no parent among the caller's processes. The program's main has to begin
// with [Stage].
func setsid(argv []string, cwd, log string) (pid int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	out, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return 0, err
	}
	defer out.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	stage := exec.Command(self, argv...)
	stage.Dir, stage.Stdout, stage.Stderr, stage.ExtraFiles = cwd, out, out, []*os.File{w}
	stage.Env = append(os.Environ(), stageVar+"=1")
	stage.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = stage.Start()
	w.Close()
	if err != nil {
		return 0, fmt.Errorf("detach: %w", err)
	}
	answer, _ := io.ReadAll(r)
	if err := stage.Wait(); err != nil {
		return 0, fmt.Errorf("detach: %w: %s", err, answer)
	}
	if pid, err = strconv.Atoi(string(answer)); err != nil {
		return 0, fmt.Errorf("detach: %s did not say which process it started", self)
	}
	return pid, nil
}

// Stage is the first call of a main whose process may be detached. It returns at once, unless this process is the one between
// the two forks: then it starts what its arguments say, tells the pid, and exits.
func Stage() {
	if os.Getenv(stageVar) == "" {
		return
	}
	os.Unsetenv(stageVar)
	told := os.NewFile(3, "told")
	if len(os.Args) < 2 || told == nil {
		os.Exit(1)
	}
	syscall.CloseOnExec(int(told.Fd()))
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		told.WriteString(strings.TrimSpace(err.Error()))
		os.Exit(1)
	}
	told.WriteString(strconv.Itoa(cmd.Process.Pid))
	os.Exit(0)
}

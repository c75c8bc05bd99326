//go:build windows

package dispatch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"github.com/lorimer-dev/lorimer/internal/verdict"
)

func (p program) run(func() bool) (ended, error) {
	cmd, err := p.command()
	if err != nil {
		return ended{}, startFault("", err)
	}
	cmd.Dir, cmd.Env = p.dir, p.env
	pipes, err := connect(cmd)
	if err != nil {
		return ended{}, err
	}
	defer pipes.close()
	all, err := start(cmd)
	if err != nil {
		return ended{}, startFault(cmd.Path, err)
	}
	defer all.release()
	pipes.serve(p.stdin)
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	disarm := context.AfterFunc(ctx, all.kill)
	_ = cmd.Wait() // the state says more
	disarm()
	if !pipes.wait(grace) {
		all.kill()
		pipes.wait(grace / 5)
	}
	pipes.close()
	exit := cmd.ProcessState.ExitCode()
	if exit != 0 && exit != verdict.Blocked && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ended{}, p.timedOut()
	}
	return ended{exit: exit, how: cmd.ProcessState.String(), stdout: pipes.stdout.capture, stderr: pipes.stderr.capture}, nil
}

// command: cmd.exe has rules of its own for quotes; with /s it takes away the outer pair and leaves the line as it is.
func (p program) command() (*exec.Cmd, error) {
	if len(p.argv) == 0 {
		cmd := exec.Command("cmd.exe")
		cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd.exe /d /s /c "` + p.line + `"`}
		return cmd, nil
	}
	path, err := p.path()
	if err != nil {
		return nil, err
	}
	return exec.Command(path, p.argv[1:]...), nil
}

// group is a handler and all that it starts: a job object, because Windows has no process groups that could be ended.
type group struct {
	job  windows.Handle
	kill func()
}

// start starts cmd in a job of its own. What the handler starts in the instant before it is in the job escapes it.
func start(cmd *exec.Cmd) (group, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
	if err := cmd.Start(); err != nil {
		return group{}, err
	}
	leader := group{kill: func() { _ = cmd.Process.Kill() }} // where there is no job
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return leader, nil
	}
	handle, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, handle)
		windows.CloseHandle(handle)
	}
	if err != nil {
		windows.CloseHandle(job)
		return leader, nil
	}
	return group{job: job, kill: func() { _ = windows.TerminateJobObject(job, 1) }}, nil
}

func (g group) release() {
	if g.job != 0 {
		windows.CloseHandle(g.job)
	}
}

// pipes are a process's three streams, seen from here.
type pipes struct {
	stdin          *os.File
	stdout, stderr stream
	theirs         []*os.File
	busy           sync.WaitGroup
	idle           chan struct{} // closed when the output has been read to its end
}

type stream struct {
	from *os.File
	capture
}

func connect(cmd *exec.Cmd) (*pipes, error) {
	p := &pipes{idle: make(chan struct{})}
	in, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.stdin, p.theirs = stdin, []*os.File{in}
	for _, s := range []*stream{&p.stdout, &p.stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			p.close()
			return nil, err
		}
		s.from, p.theirs = r, append(p.theirs, w)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.theirs[0], p.theirs[1], p.theirs[2]
	return p, nil
}

// serve feeds and reads the process, which has been started.
func (p *pipes) serve(stdin []byte) {
	p.closeTheirs()
	p.busy.Go(func() {
		_, _ = io.Copy(p.stdin, bytes.NewReader(stdin)) // a program that does not read its stdin is no fault
		p.stdin.Close()
	})
	var readers sync.WaitGroup
	for _, s := range []*stream{&p.stdout, &p.stderr} {
		readers.Go(func() { _, _ = io.Copy(&s.capture, s.from) })
	}
	p.busy.Go(func() {
		readers.Wait()
		close(p.idle)
	})
}

// wait says whether the output ended within d.
func (p *pipes) wait(d time.Duration) bool {
	select {
	case <-p.idle:
		return true
	case <-time.After(d):
		return false
	}
}

// close lets go of our ends. Whoever holds the others does not keep a reader waiting: a closed pipe ends it.
func (p *pipes) close() {
	for _, f := range []*os.File{p.stdin, p.stdout.from, p.stderr.from} {
		if f != nil {
			f.Close()
		}
	}
	p.closeTheirs()
}

func (p *pipes) closeTheirs() {
	for _, f := range p.theirs {
		f.Close()
	}
	p.theirs = nil
}

// device tells file systems apart: the volume.
func device(path string) string { return filepath.VolumeName(path) }

// ours is not asked on Windows, where a home directory can be written by its user alone.
func ours(string) bool { return true }

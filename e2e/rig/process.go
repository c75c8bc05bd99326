//go:build linux

package rig

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Process is a started host.
type Process struct {
	Pid   int
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   stream
	errs  stream
	begin time.Time
	done  chan struct{} // closed when it has ended and its streams are read
	exit  Exit
}

// Exit is how a host ended.
type Exit struct {
	Code   int // exit status; 128 + signal when it was killed
	Stdout string
	Stderr string
	Took   time.Duration
}

// start runs argv in its own process group. Standard input stays open until CloseInput or Wait.
func start(argv []string, dir string, env []string) (*Process, error) {
	p := &Process{cmd: exec.Command(argv[0], argv[1:]...), begin: time.Now(), done: make(chan struct{})}
	p.out.changed, p.errs.changed = make(chan struct{}), make(chan struct{})
	p.cmd.Dir, p.cmd.Env = dir, env
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.errs
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p.cmd.WaitDelay = 5 * time.Second // what it left behind may hold the streams open
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.Pid = p.cmd.Process.Pid
	go p.reap()
	return p, nil
}

func (p *Process) reap() {
	p.cmd.Wait()
	p.exit = Exit{Code: p.cmd.ProcessState.ExitCode(), Stdout: p.out.String(), Stderr: p.errs.String(), Took: time.Since(p.begin)}
	if w, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		p.exit.Code = 128 + int(w.Signal())
	}
	close(p.done)
}

// Send writes v as one line of JSON to the host's standard input.
func (p *Process) Send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = p.stdin.Write(append(b, '\n'))
	return err
}

// CloseInput ends the host's standard input.
func (p *Process) CloseInput() error { return p.stdin.Close() }

// Signal sends a signal to the host alone, as a terminal or a supervisor would.
func (p *Process) Signal(s syscall.Signal) error { return p.cmd.Process.Signal(s) }

// Interrupt sends an interrupt as the host is sent one: alone, or with its whole group.
func (p *Process) Interrupt(h *Host) error {
	if h.Group {
		return syscall.Kill(-p.Pid, syscall.SIGINT)
	}
	return p.Signal(syscall.SIGINT)
}

// Lines returns the complete lines that the host has written to its standard output until now.
func (p *Process) Lines() []string {
	lines := strings.Split(p.out.String(), "\n")
	return lines[:len(lines)-1]
}

// Output returns when the lines of standard output satisfy until. The error shows what had been written when ctx, or the
// host, ended first.
func (p *Process) Output(ctx context.Context, until func(lines []string) bool) error {
	for {
		changed := p.out.next()
		if until(p.Lines()) {
			return nil
		}
		select {
		case <-changed:
		case <-p.done:
			if until(p.Lines()) {
				return nil
			}
			return fmt.Errorf("the host ended with status %d before it said what was waited for\n%s%s", p.exit.Code, p.exit.Stdout, p.exit.Stderr)
		case <-ctx.Done():
			return fmt.Errorf("the host did not say what was waited for: %w\n%s%s", ctx.Err(), p.out.String(), p.errs.String())
		}
	}
}

// Wait closes standard input and waits for the host to end. When ctx ends first the host is killed, and the error shows
// what it had written.
func (p *Process) Wait(ctx context.Context) (Exit, error) {
	p.stdin.Close()
	select {
	case <-p.done:
		return p.exit, nil
	case <-ctx.Done():
		p.kill()
		return p.exit, fmt.Errorf("the host did not end: %w\n%s%s", ctx.Err(), p.exit.Stdout, p.exit.Stderr)
	}
}

// kill ends the host and its process group, and waits for it. It does nothing to a host that has ended.
func (p *Process) kill() {
	select {
	case <-p.done:
		return
	default:
	}
	if err := syscall.Kill(-p.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		p.cmd.Process.Kill()
	}
	<-p.done
}

// stream is a buffer that can be waited on.
type stream struct {
	mu      sync.Mutex
	buf     bytes.Buffer
	changed chan struct{} // closed and replaced with each write
}

func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf.Write(b)
	close(s.changed)
	s.changed = make(chan struct{})
	return len(b), nil
}

func (s *stream) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

func (s *stream) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

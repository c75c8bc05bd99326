//go:build linux

package rig

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// Terminal is a host with a terminal to itself.
type Terminal struct {
	*Process
	mu      sync.Mutex
	screen  vt10x.Terminal
	changed chan struct{} // closed and replaced with each change of the screen
}

// Terminal starts the host in the project, with a terminal of 120 columns and 40 lines on all its streams.
func (r *Rig) Terminal(args ...string) (*Terminal, error) {
	argv := append(r.Host.exe(r.install), args...)
	p := &Process{cmd: exec.Command(argv[0], argv[1:]...), begin: time.Now(), done: make(chan struct{})}
	p.out.changed, p.errs.changed = make(chan struct{}), make(chan struct{})
	p.cmd.Dir, p.cmd.Env = r.Clone, append(append(r.env(), r.Host.env(r.Model.URL())...), append(r.Extra, "TERM=xterm-256color")...)
	tty, err := pty.StartWithAttrs(p.cmd, &pty.Winsize{Rows: 40, Cols: 120}, &syscall.SysProcAttr{Setsid: true, Setctty: true, Pdeathsig: syscall.SIGKILL})
	if err != nil {
		return nil, err
	}
	p.Pid, p.stdin = p.cmd.Process.Pid, tty
	t := &Terminal{Process: p, changed: make(chan struct{})}
	t.screen = vt10x.New(vt10x.WithSize(120, 40), vt10x.WithWriter(tty)) // it answers what the host asks of its terminal
	go t.show(tty)
	go p.reap()
	r.started = append(r.started, p)
	return t, nil
}

func (t *Terminal) show(tty io.Reader) {
	b := make([]byte, 1<<16)
	for {
		n, err := tty.Read(b)
		t.out.Write(b[:n])
		t.mu.Lock()
		t.screen.Write(b[:n])
		close(t.changed)
		t.changed = make(chan struct{})
		t.mu.Unlock()
		if err != nil {
			return // the host has ended
		}
	}
}

// Type writes what a user types.
func (t *Terminal) Type(keys string) error {
	_, err := io.WriteString(t.stdin, keys)
	return err
}

// Ended waits for the host to end by itself. Wait would close its terminal, which ends it at once.
func (t *Terminal) Ended(ctx context.Context) (Exit, error) {
	select {
	case <-t.done:
		return t.exit, nil
	case <-ctx.Done():
		return Exit{}, fmt.Errorf("the host did not end: %w\n%s", ctx.Err(), t.Screen())
	}
}

// Screen returns what the terminal shows, line by line.
func (t *Terminal) Screen() string { return t.screen.String() }

// Shows returns when the screen satisfies until. The error shows the screen when ctx ends first.
func (t *Terminal) Shows(ctx context.Context, until func(screen string) bool) error {
	for {
		t.mu.Lock()
		changed := t.changed
		t.mu.Unlock()
		if until(t.Screen()) {
			return nil
		}
		select {
		case <-changed:
		case <-t.done:
			return fmt.Errorf("the host ended with status %d before its screen showed what was waited for\n%s", t.exit.Code, t.Screen())
		case <-ctx.Done():
			return fmt.Errorf("the screen does not show what was waited for: %w\n%s", ctx.Err(), t.Screen())
		}
	}
}

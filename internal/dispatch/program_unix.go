//go:build unix

package dispatch

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// On Unix one loop feeds and reads a handler with poll(2) and sees it end. os/exec would do, but its goroutines, timers and
// probes cost as much as starting the handler, and every tool call of an agent waits for this.

// tick is how often the loop looks for what no stream tells: an interruption, or an end while a stream is still held.
const tick = 50 * time.Millisecond

// child is a started program.
type child struct {
	pid     int
	handle  int    // readable when it has ended; none = -1
	stdin   int    // our end of the pipe; closed = -1
	payload []byte // what stdin still has to be given
	stdout  stream
	stderr  stream
	buf     []byte // what is being read
	status  syscall.WaitStatus
	gone    bool // it has ended, and status is set
}

type stream struct {
	fd int // closed = -1
	capture
}

func (p program) run(told func() bool) (ended, error) {
	path, argv := "/bin/sh", []string{"sh", "-c", p.line}
	if len(p.argv) > 0 {
		found, err := p.path()
		if err != nil {
			return ended{}, startFault(found, err)
		}
		path, argv = found, append([]string{found}, p.argv[1:]...)
	}
	c, err := p.start(path, argv)
	if err != nil {
		return ended{}, err
	}
	defer c.close()
	c.feed()
	if p.meanwhile != nil {
		p.meanwhile()
	}
	if err := c.attend(p.timeout, told); err != nil {
		if errors.Is(err, errTimeout) {
			err = p.timedOut()
		}
		return ended{}, err
	}
	return c.ended(), nil
}

// start starts the program as the leader of a session of its own, as Claude does: so its group has its own id, and nothing in
// it can wait for a terminal.
func (p program) start(path string, argv []string) (*child, error) {
	c := &child{handle: -1, stdin: -1, stdout: stream{fd: -1}, stderr: stream{fd: -1}, payload: p.stdin, buf: make([]byte, 16<<10)}
	var theirs [3]int
	for i, pair := range []struct{ ours, theirs *int }{{&c.stdin, &theirs[0]}, {&c.stdout.fd, &theirs[1]}, {&c.stderr.fd, &theirs[2]}} {
		ends, err := pipe()
		if err != nil {
			c.close()
			closeAll(theirs[:i])
			return nil, fmt.Errorf("not started, for want of a pipe: %w", err)
		}
		*pair.ours, *pair.theirs = ends[0], ends[1]
		if i == 0 { // the first is written by us and read by it
			*pair.ours, *pair.theirs = ends[1], ends[0]
		}
	}
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Dir: p.dir, Env: p.env, Sys: attributes(&c.handle),
		Files: []uintptr{uintptr(theirs[0]), uintptr(theirs[1]), uintptr(theirs[2])},
	})
	closeAll(theirs[:])
	if err != nil {
		c.close()
		return nil, startFault(path, err)
	}
	c.pid = pid
	_ = unix.SetNonblock(c.stdin, true) // the others are read when poll(2) says that there is something
	return c, nil
}

// attend serves the streams until the program has ended and nothing holds them any more.
func (c *child) attend(timeout time.Duration, told func() bool) (err error) {
	begin := time.Now()
	deadline, look := begin.Add(timeout), begin.Add(tick)
	for pause := 20 * time.Microsecond; ; {
		wasGone := c.gone
		c.reap()
		switch now := time.Now(); {
		case c.gone && !c.open():
			return err
		case c.gone && !wasGone: // something else still holds a stream
			deadline = now.Add(grace)
		case c.gone && now.After(deadline):
			c.kill()
			return err
		case c.gone:
		case err != nil: // killed, and the system takes its time
			if now.After(deadline.Add(grace)) {
				return err
			}
		case now.After(deadline):
			err = errTimeout
			c.kill()
		case now.After(look):
			if look = now.Add(tick); told() {
				err, deadline = errInterrupted, now
				c.kill()
			}
		}
		if c.open() || c.stdin >= 0 || c.handle >= 0 {
			c.serve(min(tick, max(time.Until(deadline), time.Millisecond)))
			continue
		}
		// Both streams have ended, and the end of the program, of which nothing tells here, follows at once, as a rule. A nap of
		// this kind costs no switch of threads.
		nap := unix.NsecToTimeval(pause.Nanoseconds())
		_, _ = unix.Select(0, nil, nil, nil, &nap)
		pause = min(2*pause, tick)
	}
}

func (c *child) open() bool { return c.stdout.fd >= 0 || c.stderr.fd >= 0 }

// reap takes note when the program has ended.
func (c *child) reap() {
	for !c.gone {
		pid, err := syscall.Wait4(c.pid, &c.status, syscall.WNOHANG, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if c.gone = pid == c.pid || err != nil; c.gone {
			closeFD(&c.handle) // or it would be found ready for ever
		}
		return
	}
}

// kill ends the program and its whole group. The id of a group that has a member left is not given to anybody else.
func (c *child) kill() { _ = syscall.Kill(-c.pid, syscall.SIGKILL) }

// serve waits for a stream to get ready, at most for d, and does what can be done without waiting.
func (c *child) serve(d time.Duration) {
	// A negative descriptor is passed over.
	fds := []unix.PollFd{
		{Fd: int32(c.stdin), Events: unix.POLLOUT}, {Fd: int32(c.stdout.fd), Events: unix.POLLIN}, {Fd: int32(c.stderr.fd), Events: unix.POLLIN},
		{Fd: int32(c.handle), Events: unix.POLLIN},
	}
	if n, _ := unix.Poll(fds, int(d.Milliseconds())); n <= 0 {
		return
	}
	if fds[0].Revents != 0 {
		c.feed()
	}
	if fds[1].Revents != 0 {
		c.stdout.read(c.buf)
	}
	if fds[2].Revents != 0 {
		c.stderr.read(c.buf)
	}
}

func (c *child) feed() {
	n, err := unix.Write(c.stdin, c.payload)
	if again(err) {
		return
	}
	c.payload = c.payload[max(n, 0):]
	if err != nil || len(c.payload) == 0 { // EPIPE: it does not want to read; its exit code answers all the same
		closeFD(&c.stdin)
	}
}

func (s *stream) read(buf []byte) {
	n, err := unix.Read(s.fd, buf)
	if again(err) {
		return
	}
	if n <= 0 {
		closeFD(&s.fd)
		return
	}
	_, _ = s.Write(buf[:n])
}

func again(err error) bool { return errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR) }

func (c *child) close() {
	for _, fd := range []*int{&c.stdin, &c.stdout.fd, &c.stderr.fd, &c.handle} {
		closeFD(fd)
	}
}

func closeFD(fd *int) {
	if *fd >= 0 {
		_ = unix.Close(*fd)
		*fd = -1
	}
}

func closeAll(fds []int) {
	for i := range fds {
		closeFD(&fds[i])
	}
}

func (c *child) ended() ended {
	e := ended{exit: c.status.ExitStatus(), stdout: c.stdout.capture, stderr: c.stderr.capture}
	e.how = "exit status " + strconv.Itoa(e.exit)
	if c.status.Signaled() {
		e.how = "killed by signal " + unix.SignalName(c.status.Signal())
	}
	return e
}

// device tells file systems apart; 0 = unknown.
func device(path string) uint64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev)
	}
	return 0
}

// ours says whether a path belongs to the user that runs this process.
func ours(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/proc"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/store"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// How often a supervisor looks: at the registry, and at its processes.
const (
	beat = 100 * time.Millisecond
	look = time.Second
)

// supervisor watches over one job.
type supervisor struct {
	*run
	driver *harness.Driver
	id     string
	job    record.Job // as it was at the start
	stream *driver.Stream
	cmd    *exec.Cmd
	procs  *proc.Job
	began  time.Time

	last     time.Time // of the last line
	told     told      // what the registry knows
	messages int
	stop     string // why it is to end; empty = nobody asked
	timedOut bool
	stalled  bool
}

// told is what was last written into the registry.
type told struct {
	messages int
	began    bool
	stalled  bool
	session  string
	known    int
}

// Supervise is the process behind a job: it runs the harness to its end, and writes the result.
func (e *Engine) Supervise(log, id string) error {
	r, err := e.open(log)
	if err != nil {
		return err
	}
	s := &supervisor{run: r, id: id}
	if err := s.attach(); err != nil {
		return err
	}
	end, err := s.watch()
	if err != nil {
		end = ending{status: record.Failed, reason: record.ReasonSupervisorError, detail: err.Error()}
		fmt.Fprintln(os.Stderr, err)
	}
	return r.conclude(id, end)
}

// attach makes this process the job's supervisor.
func (s *supervisor) attach() error {
	return s.changeJob(s.id, func(reg *record.Registry, j *record.Job) (err error) {
		if j.Status != record.Running {
			return fmt.Errorf("job %s is %s", s.id, j.Status)
		}
		ctime, _ := s.e.Platform.Ctime(os.Getpid())
		j.Supervisor = record.Process{PID: os.Getpid(), Ctime: ctime, Name: "supervisor"}
		s.job = *j
		s.driver, err = s.e.driver(reg.Launch.Harness)
		return err
	})
}

// watch runs the harness and says how it ended.
func (s *supervisor) watch() (ending, error) {
	if stopped, err := s.waitForSiblings(); stopped || err != nil {
		return ending{status: record.Killed, reason: s.stop}, err
	}
	lines, done, err := s.begin()
	if err != nil {
		return ending{status: record.Failed, reason: record.ReasonLaunchError, detail: err.Error()}, nil
	}
	s.follow(lines, done)
	killed := s.procs.Kill(context.Background(), s.grace(), proc.Verify)
	err = <-done
	return s.verdict(err, killed), nil
}

func (s *supervisor) grace() time.Duration {
	if s.driver.TermWait > 0 {
		return s.driver.TermWait
	}
	return proc.Grace
}

// begin starts the harness. lines gives what it prints; done gives how it ended, after all of that.
func (s *supervisor) begin() (lines <-chan []byte, done <-chan error, err error) {
	var st start
	if err := store.ReadJSON(s.file("jobs", s.id+".json"), &st); err != nil {
		return nil, nil, err
	}
	s.stream, s.began, s.last = driver.NewStream(s.driver), s.e.Now().Wall, s.e.Now().Wall
	name, value, _ := strings.Cut(s.mark(s.id), "=")
	pins := map[string]string{ChildMarker: "1", name: value}
	for k, v := range s.driver.Pin {
		pins[k] = v
	}
	s.cmd = exec.Command(st.Argv[0], st.Argv[1:]...)
	s.cmd.Dir, s.cmd.Env, s.cmd.SysProcAttr = st.CWD, driver.Environ(s.e.Env, s.e.scrub(s.driver), pins), s.e.Platform.ProcAttr(true)
	if st.Prompt != "" {
		in, err := os.Open(st.Prompt)
		if err != nil {
			return nil, nil, err
		}
		defer in.Close()
		s.cmd.Stdin = in
	}
	errs, err := os.OpenFile(s.file("raw", s.id+".err"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, err
	}
	defer errs.Close()
	s.cmd.Stderr = errs
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	s.cmd.Stdout = w
	err = s.cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, nil, err
	}
	s.register()
	return s.read(r), s.wait(), nil
}

// register tells the registry which process the harness is.
func (s *supervisor) register() {
	ctime, _ := s.e.Platform.Ctime(s.cmd.Process.Pid)
	s.job.Harness = record.Process{PID: s.cmd.Process.Pid, Ctime: ctime, Name: "harness"}
	s.procs = s.processes(s.driver, &s.job)
	s.changeJob(s.id, func(_ *record.Registry, j *record.Job) error { j.Harness = s.job.Harness; return nil })
}

// read copies the harness's output to raw/<job>.jsonl and hands it on, line by line. The channel closes at the end of the output,
// which may come after the harness's own: a child that keeps the pipe keeps it open until it is swept.
func (s *supervisor) read(from *os.File) <-chan []byte {
	lines := make(chan []byte, 64)
	go func() {
		defer close(lines)
		defer from.Close()
		raw, err := os.OpenFile(s.file("raw", s.id+".jsonl"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err == nil {
			defer raw.Close()
		}
		in := bufio.NewReaderSize(from, 64<<10)
		for {
			line, err := in.ReadBytes('\n')
			if raw != nil {
				raw.Write(line)
			}
			if len(line) > 0 {
				lines <- line
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					fmt.Fprintln(os.Stderr, err)
				}
				return
			}
		}
	}()
	return lines
}

func (s *supervisor) wait() <-chan error {
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	return done
}

// follow reads until the harness has ended and its output is read, or somebody wants the end.
func (s *supervisor) follow(lines <-chan []byte, done <-chan error) {
	pulse, looks := time.NewTicker(beat), time.NewTicker(look)
	defer pulse.Stop()
	defer looks.Stop()
	var drained <-chan time.Time
	for s.stop == "" && !s.timedOut {
		select {
		case line, more := <-lines:
			if !more {
				lines = nil
				drained = time.After(0)
				if s.alive() {
					drained = nil
				}
				continue
			}
			s.take(line)
		case <-pulse.C:
			s.check()
			if drained == nil && !s.alive() {
				drained = time.After(drainLimit)
				if lines == nil {
					return
				}
			}
		case <-looks.C:
			s.procs.Look()
			s.tell()
		case <-drained:
			if !s.alive() {
				return
			}
			drained = nil
		}
	}
}

// drainLimit is how long output is read after the harness has ended, while a child of it still holds the pipe.
const drainLimit = 500 * time.Millisecond

func (s *supervisor) alive() bool { return s.e.Platform.Alive(s.job.Harness.PID, s.job.Harness.Ctime) }

func (s *supervisor) take(line []byte) {
	if !s.stream.Line(line) {
		return
	}
	s.messages++
	s.last, s.stalled = s.e.Now().Wall, false
	if _, began := s.stream.Fact("first"); began != s.told.began {
		s.tell()
	}
}

// tell brings the registry up to date, when there is something to tell.
func (s *supervisor) tell() {
	session, _ := s.stream.Fact("session")
	_, began := s.stream.Fact("first")
	now := told{s.messages, began, s.stalled, session, len(s.procs.Known())}
	if now == s.told {
		return
	}
	s.told = now
	s.changeJob(s.id, func(_ *record.Registry, j *record.Job) error {
		j.Messages, j.Began, j.Known = s.messages, began, s.procs.Known()
		if j.Session == "" {
			j.Session = session
			s.job.Session = session
		}
		if j.Stalled = s.stalled; s.stalled {
			j.Raise(record.Stalled)
		} else {
			j.Lower(record.Stalled)
		}
		return nil
	})
}

// check looks for a reason to end: somebody asked, nobody asks any more, or the time is up. A stall is no reason.
func (s *supervisor) check() {
	reg, err := s.run.read()
	if err != nil {
		return // the next look may succeed
	}
	j := reg.Jobs[s.id]
	now := s.e.Now().Wall
	switch {
	case j == nil:
		s.stop = record.ReasonKill
	case j.Stop != "":
		s.stop = j.Stop
	case s.orphaned(reg):
		s.stop = record.ReasonOrphaned
	case s.job.MaxMinutes > 0 && now.Sub(s.began) > time.Duration(s.job.MaxMinutes*float64(time.Minute)):
		s.timedOut = true
	}
	s.stalled = s.driver.Stall > 0 && now.Sub(s.last) > s.quiet()
}

// orphaned says whether the orchestrator has gone. Pings end by themselves.
func (s *supervisor) orphaned(reg *record.Registry) bool {
	return s.job.Kind != record.Ping && s.e.Now().Wall.Sub(reg.Orchestrator.Time) > seconds(reg.Launch.OrphanAfterS)
}

// quiet is how long the harness may say nothing: while a tool runs, as long as that tool may take.
func (s *supervisor) quiet() time.Duration {
	limit := s.driver.Stall
	if open := s.openTools(); open > 0 {
		limit = max(limit, s.toolLimit())
	}
	return limit
}

// openTools counts the tool calls without a result.
func (s *supervisor) openTools() (open int) {
	closed := s.stream.Set("tool_ends")
	for _, id := range s.stream.Set("tool_starts") {
		if !slices.Contains(closed, id) {
			open++
		}
	}
	return open
}

// toolLimit is the newest call's own limit, in milliseconds in the stream, else the harness's for a tool.
func (s *supervisor) toolLimit() time.Duration {
	ms, _ := s.stream.Fact("tool_timeout_ms")
	if d, err := time.ParseDuration(ms + "ms"); err == nil && d > 0 {
		return d
	}
	return 10 * time.Minute
}

// waitForSiblings lets the first gremlin of a base come to its first message before the next one starts: concurrent first turns
// all miss the cache. It says whether the job was stopped meanwhile.
func (s *supervisor) waitForSiblings() (stopped bool, err error) {
	if !slices.Contains(record.HitKinds, s.job.Kind) && s.job.Kind != record.Ping {
		return false, nil
	}
	s.began = s.e.Now().Wall
	for {
		reg, err := s.run.read()
		if err != nil {
			return false, err
		}
		j := reg.Jobs[s.id]
		switch {
		case j == nil || j.Stop != "":
			s.stop = record.ReasonKill
			if j != nil {
				s.stop = j.Stop
			}
			return true, nil
		case s.orphaned(reg):
			s.stop = record.ReasonOrphaned
			return true, nil
		case !firstOf(reg, j):
			return false, nil
		}
		time.Sleep(beat)
	}
}

// firstOf says whether an earlier job is about to be the first to use the base.
func firstOf(reg *record.Registry, j *record.Job) bool {
	earlier := false
	for _, o := range reg.JobsInOrder() {
		if o.Job == j.Job {
			return earlier
		}
		if o.Base != j.Base || o.Kind == record.Train || o.Kind == record.Ping {
			continue
		}
		if o.Began {
			return false
		}
		earlier = earlier || o.Status == record.Running
	}
	return earlier
}

// verdict puts together how the harness ended.
func (s *supervisor) verdict(err error, killed proc.Killed) ending {
	own := map[string]string{"exit": "0"}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		own["exit"] = fmt.Sprint(exit.ExitCode())
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			own["signal"] = fmt.Sprint(int(ws.Signal()))
		}
	}
	if s.stop != "" {
		own["killed_by"] = s.stop
	}
	if s.timedOut {
		own["timed_out"] = "true"
	}
	requested := s.job.Facts["model"]
	for _, m := range s.stream.Set("model") {
		if !sameModel(requested, m) {
			own["model_changed"] = m
		}
	}
	end := ending{stream: s.stream, known: s.procs.Known(), survivors: killed.Survivors, treeRC: killed.TreeRC, wall: s.e.Now().Wall.Sub(s.began), stalled: s.stalled}
	end.status, end.reason, end.flags = s.stream.Judge(own)
	return end
}

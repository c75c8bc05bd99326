package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/proc"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
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
		end = ending{status: record.Failed, reason: record.ReasonSupervisorError}
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
	var failed *launchError
	switch {
	case errors.As(err, &failed):
		fmt.Fprintln(os.Stderr, err)
		return ending{status: record.Failed, reason: record.ReasonLaunchError}, nil
	case err != nil:
		return ending{}, err
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

package engine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/gremlin/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/store"
)

// launchError says that the harness's program could not be started. Any other fault before its start is our own.
type launchError struct{ error }

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
		return nil, nil, &launchError{err}
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

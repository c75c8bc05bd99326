package engine

import (
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// told is what was last written into the registry.
type told struct {
	messages int
	began    bool
	stalled  bool
	session  string
	known    int
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

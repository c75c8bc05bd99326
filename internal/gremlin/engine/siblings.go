package engine

import (
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

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

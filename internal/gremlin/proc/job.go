package proc

import (
	"os"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/platform"
)

var self = os.Getpid()

// Job is what belongs to one job: everything below its root, and everything that carries one of its marks.
type Job struct {
	Platform platform.Platform
	Root     Record         // the harness itself
	Marks    []string       // entries NAME=value of the environment that the job's processes inherit
	Until    platform.Ctime // when the root was last seen alive, if it has ended; 0 = not known

	known []Record
}

// Look adds to what the job remembers whatever belongs to it now. A process that leaves its parent later is still known then.
func (j *Job) Look() {
	table := j.table()
	j.known = slices.DeleteFunc(j.known, func(r Record) bool { return !j.alive(r, table) })
	j.add(j.below(append([]Record{j.Root}, j.known...), table))
	for _, mark := range j.Marks {
		for _, p := range platform.Environ(mark) {
			if r, ok := j.record(p.PID, p.Name); ok {
				j.add([]Record{r})
			}
		}
	}
}

// add remembers processes, but never us, nor the root, which is remembered already.
func (j *Job) add(records []Record) {
	for _, r := range records {
		if r.PID == self || r.PID == j.Root.PID && r.Ctime == j.Root.Ctime {
			continue
		}
		same := func(k Record) bool { return k.PID == r.PID && k.Ctime == r.Ctime }
		if !slices.ContainsFunc(j.known, same) {
			j.known = append(j.known, r)
		}
	}
}

// Remember takes over what another process of ours knew of the job.
func (j *Job) Remember(records []Record) { j.add(records) }

// Known is what was remembered, without the root.
func (j *Job) Known() []Record { return slices.Clone(j.known) }

// Alive lists what of the job runs now, the root first.
func (j *Job) Alive() (alive []Record) {
	j.Look()
	table := j.table()
	for _, r := range append([]Record{j.Root}, j.known...) {
		if r.PID > 0 && j.alive(r, table) {
			alive = append(alive, r)
		}
	}
	return alive
}

// Limits of a [Job.Kill].
const (
	Grace  = 3 * time.Second  // from the request to end until it is an order
	Verify = 30 * time.Second // until what still lives is called a survivor
)

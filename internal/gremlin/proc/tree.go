// Package proc follows and ends the processes of a job: the harness, what it started, and what that started, also where it has
// left its session, its parent or its name behind.
//
// A process is pid and creation time together; see package platform. Nothing is ever ended by name.
package proc

import (
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// Record remembers a process.
type Record struct {
	PID   int            `json:"pid"`
	Ctime platform.Ctime `json:"ctime"` // 0 = could not be read
	Name  string         `json:"name"`
}

// Record describes a process that runs now. False: there is none.
func (j *Job) record(pid int, name string) (Record, bool) {
	ctime, known := j.Platform.Ctime(pid)
	return Record{PID: pid, Ctime: ctime, Name: name}, known || j.Platform.Alive(pid, 0)
}

// alive says whether a remembered process still runs. Where no creation time can be read, the table has to show the pid under
// the same name: a name alone proves nothing elsewhere, because exec changes it.
func (j *Job) alive(r Record, table map[int]platform.Process) bool {
	if !j.Platform.Alive(r.PID, r.Ctime) {
		return false
	}
	if now, known := j.Platform.Ctime(r.PID); known && r.Ctime != 0 {
		return now == r.Ctime
	}
	p, there := table[r.PID]
	return there && p.Name == r.Name
}

// table is the process table by pid.
func (j *Job) table() map[int]platform.Process {
	table := map[int]platform.Process{}
	for _, p := range j.Platform.Processes() {
		table[p.PID] = p
	}
	return table
}

// below lists the descendants of the given processes. A child is younger than its parent; one that is older has another parent,
// which had that pid before. A parent that has ended claims a child only while its time of death, until, proves that the child was
// born before it: afterwards the pid may have been anybody's.
func (j *Job) below(roots []Record, table map[int]platform.Process) (found []Record) {
	children := map[int][]platform.Process{}
	for _, p := range table {
		children[p.Parent] = append(children[p.Parent], p)
	}
	seen := map[int]bool{}
	for queue := roots; len(queue) > 0; queue = queue[1:] {
		parent := queue[0]
		if seen[parent.PID] {
			continue
		}
		seen[parent.PID] = true
		dead := !j.alive(parent, table)
		for _, p := range children[parent.PID] {
			child, ok := j.record(p.PID, p.Name)
			if !ok || p.PID == parent.PID || !j.claims(parent, child, dead) {
				continue
			}
			found = append(found, child)
			queue = append(queue, child)
		}
	}
	return found
}

func (j *Job) claims(parent, child Record, dead bool) bool {
	known := parent.Ctime != 0 && child.Ctime != 0
	if dead {
		return known && j.Until != 0 && child.Ctime >= parent.Ctime && child.Ctime <= j.Until
	}
	return !known || child.Ctime >= parent.Ctime
}

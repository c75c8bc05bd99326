// Package ancestry reads who started us: our parent process, its parent, and so on. Nothing else of the process table is
// looked at, and nothing is kept.
package ancestry

import (
	"fmt"
	"os"
)

// Process is one ancestor.
type Process struct {
	PID  int      `json:"pid,omitempty"`
	Exe  string   `json:"exe,omitempty"`  // path of the executable; empty when it cannot be read
	Args []string `json:"args,omitempty"` // the command line; a program may have written something else there
	Dir  string   `json:"dir,omitempty"`  // working directory; read for interpreters alone, whose script may be relative
}

// deepest is where reading stops: nobody nests agents like that, and a table that goes round in circles has no end.
const deepest = 64

// Read returns our ancestors, the nearest first. What could be read comes back with the error: a process table may be closed
// from somewhere on.
func Read() ([]Process, error) { return read(os.Getppid(), system) }

// table is where processes are looked up.
type table func(pid int) (p Process, parent int, err error)

func read(pid int, look table) (list []Process, err error) {
	seen := map[int]bool{}
	for pid > 0 && !seen[pid] && len(list) < deepest {
		seen[pid] = true
		p, parent, err := look(pid)
		if err != nil {
			return list, fmt.Errorf("process %d: %w", pid, err)
		}
		list = append(list, p)
		pid = parent
	}
	return list, nil
}

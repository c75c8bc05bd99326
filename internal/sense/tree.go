package sense

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/ancestry"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// looksLike says whether the process is one of the runtime's: by its exact name, or by the end of its script's path.
func looksLike(p ancestry.Process, r *harness.Runtime) bool {
	for _, x := range r.Processes {
		if x.Exe != "" && slices.Contains(p.Names(), x.Exe) {
			return true
		}
		if x.Script != "" && slices.ContainsFunc(p.Scripts(), func(path string) bool { return endsIn(path, x.Script) }) {
			return true
		}
	}
	return false
}

// endsIn compares whole segments of a path.
func endsIn(path, end string) bool { return path == end || strings.HasSuffix(path, "/"+end) }

// shown names the processes without their arguments, which may hold secrets.
func shown(list []ancestry.Process) (out []string) {
	for _, p := range list {
		out = append(out, strings.Join(p.Names(), " "))
	}
	return out
}

package sense

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// files answers when the workspace has the files of one runtime. It is a weak sign, because people use several agents in one
// place: the files of several are none. What Lorimer itself put there says nothing at all.
func (c *cascade) files() (s Step) {
	dir, err := c.dir()
	if err != nil {
		return Step{Why: "the working directory is not known: " + err.Error()}
	}
	root := workspace(dir)
	there := c.present(root)
	if len(there) == 0 {
		return Step{Why: "no runtime's files are in the workspace"}
	}
	ours, err := readRecord(root)
	if err != nil {
		return Step{Saw: all(there), Why: "what Lorimer made of this is not known: " + err.Error()}
	}
	var left []evidence
	for _, e := range there {
		if !ours.isOurs(e.path) {
			left = append(left, e)
		}
	}
	s.Saw = all(there)
	switch rows := runtimesOf(left); {
	case len(rows) == 1:
		s.Answer, s.Why = rows[0].ID, fmt.Sprintf("%s is in the workspace", left[0].path)
	case len(rows) > 1:
		s.Why = "the workspace has files of " + names(rows)
	default:
		s.Why = "what is there was made by Lorimer"
	}
	return s
}

// evidence is a path that shows a runtime's use.
type evidence struct {
	row  *harness.Runtime
	path string
}

func (c *cascade) present(root string) (there []evidence) {
	for _, r := range c.Rows {
		for _, f := range r.Files {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(f))); err == nil {
				there = append(there, evidence{r, f})
			}
		}
	}
	return there
}

func runtimesOf(list []evidence) (rows []*harness.Runtime) {
	for _, e := range list {
		if len(rows) == 0 || rows[len(rows)-1] != e.row {
			rows = append(rows, e.row)
		}
	}
	return rows
}

func all(list []evidence) (paths []string) {
	for _, e := range list {
		paths = append(paths, e.path)
	}
	return paths
}

// workspace is the top of the git checkout that dir is in, else dir.
func workspace(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if parent := filepath.Dir(d); parent == d || strings.HasSuffix(d, string(filepath.Separator)) {
			return dir
		}
	}
}

package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// Source is one file that hooks stand in, or could.
type Source struct {
	File    string   `json:"file"`    // as a person knows it
	Hooks   int      `json:"hooks"`   // that can be brought to other agents
	Dropped []string `json:"dropped"` // what of it the agent whose file it is drops, with its place
	User    bool     `json:"user"`    // your own, for every project
	Managed bool     `json:"managed"` // an organization set it, for everybody on this machine
	Counts  bool     `json:"counts"`  // its hooks are those of this clone

	yaml bool
}

// sources reads every scope in which hooks may stand.
func (c *Command) sources(root string) (all []Source, err error) {
	yaml := exists(filepath.Join(root, config.FileName)) || c.Config != ""
	if yaml {
		name := config.FileName
		if c.Config != "" {
			name = c.Config
		}
		all = append(all, Source{File: name, Dropped: []string{}, Counts: true, yaml: true})
	}
	for _, f := range config.NativeFiles(c.Table) {
		s, err := readSource(f, filepath.Join(root, filepath.FromSlash(f)))
		if err != nil {
			return nil, err
		}
		s.Counts = !yaml
		all = append(all, s)
	}
	for _, h := range config.Native(c.Table) {
		if h.Hooks.User == "" || c.userHome() == "" {
			continue
		}
		s, err := readSource("~/"+h.Hooks.User, filepath.Join(c.userHome(), filepath.FromSlash(h.Hooks.User)))
		if err != nil {
			return nil, err
		}
		s.User, s.Counts = true, !yaml && c.User != nil && *c.User
		all = append(all, s)
	}
	for _, p := range config.ManagedPlaces(c.Table) {
		s, err := readSource(p.Name, filepath.FromSlash(p.Path))
		if err != nil {
			return nil, err
		}
		s.Managed, s.Counts = true, !yaml
		all = append(all, s)
	}
	return all, nil
}

// readSource reads one settings file; none is one without hooks.
func readSource(name, path string) (Source, error) {
	s := Source{File: name, Dropped: []string{}}
	data, err := plainfile.Settings(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("%s cannot be read: %w; look at its owner and mode", name, err)
	}
	read := claudehooks.Reader{File: name, Mine: ours, Managed: filepath.IsAbs(name)}.Settings(data)
	s.Hooks = len(read.Entries)
	if read.Any && s.Hooks == 0 {
		for _, w := range append(read.Warnings, read.Faults...) {
			s.Dropped = append(s.Dropped, w.String())
		}
	}
	return s, nil
}

// ours tells an entry that lorimer wrote.
func ours(entry any) bool {
	m, _ := entry.(map[string]any)
	command, _ := m["command"].(string)
	return strings.Contains(command, materialize.DispatcherName)
}

// found says whether the clone has any hook.
func (s *survey) found() bool {
	return slices.ContainsFunc(s.Sources, func(x Source) bool { return x.Counts && (x.yaml || x.Hooks > 0) })
}

func (s *survey) hasYAML() bool {
	return slices.ContainsFunc(s.Sources, func(x Source) bool { return x.yaml })
}

// noHook is what is said where there is nothing to bring to anybody. A file of which every hook is dropped is the reason then.
func (c *Command) noHook(s *survey) error {
	var files, dropped []string
	own := ""
	for _, x := range s.Sources {
		switch {
		case x.User && x.Hooks > 0:
			own = fmt.Sprintf("\n%s in %s is for every project; it is brought to other agents with --user", count(x.Hooks, "hook", "hooks"), x.File)
		case !x.User && !x.Managed:
			files, dropped = append(files, x.File), append(dropped, x.Dropped...)
		}
	}
	if len(dropped) > 0 {
		return fmt.Errorf("%s\nno hook is left that any agent would run; mend that, and run `lorimer init` again", strings.Join(dropped, "\n"))
	}
	return fmt.Errorf("no hook is found: there is no %s, and there are none in %s; put a ready one in with --with NAME: %s%s",
		config.FileName, strings.Join(files, " or "), strings.Join(readyNames(), ", "), own)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

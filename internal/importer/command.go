package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/materialize/fleet"
)

// Exit statuses that Run returns.
const (
	Done   = 0 // moved, or nothing to move, or with DryRun shown
	Failed = 2 // nothing was moved; the error says why
)

// Command is one command line.
type Command struct {
	materialize.Options
	Dir    string // the clone
	DryRun bool
	JSON   bool
	Stdout io.Writer

	Bundled string // the dispatcher that is put where hooks look for it; "" = the one beside the running lorimer
}

// Moved is one hook that goes into lorimer.yaml.
type Moved struct {
	From    string `json:"from"` // its place: settings.json:PreToolUse[0].hooks[0]
	Event   string `json:"event"`
	Matcher string `json:"matcher,omitempty"`
	Command string `json:"command"`
	Already bool   `json:"already"` // it stands there, too, so it only leaves the settings
}

// Change is a file that is changed, as a unified diff.
type Change struct {
	Path string `json:"path"`
	Diff string `json:"diff"`
}

// report is the document of --json.
type report struct {
	Root    string   `json:"root"`
	Status  string   `json:"status"` // moved | planned | same
	Moved   []Moved  `json:"moved"`
	Env     []string `json:"env"`  // variables that are copied into lorimer.yaml, by name
	Left    []string `json:"left"` // what stays, with its place and why
	Changes []Change `json:"changes"`
}

// Run moves. It returns an exit status; an error goes with Failed.
func (c *Command) Run() (status int, err error) {
	clone, err := clonefs.Open(c.Dir)
	if err != nil {
		return Failed, err
	}
	defer clone.Close()
	clone.Hook = c.Hook
	m, err := c.move(clone)
	if err != nil {
		return Failed, err
	}
	r := m.report()
	switch {
	case len(m.moved) == 0:
		r.Status = "same"
	case c.DryRun:
		r.Status = "planned"
	default:
		r.Status = "moved"
		if err := m.write(); err != nil {
			return Failed, err
		}
	}
	return Done, c.show(r)
}

// mover is one run.
type mover struct {
	*Command
	clone    *clonefs.FS
	yaml     file // lorimer.yaml
	settings []settings
	moved    []Moved
	left     []string
	env      map[string]string // what everybody's settings give to hooks
	copied   []string          // names of it that go into lorimer.yaml
}

// file is a file of the clone, as it was and as it is to be.
type file struct {
	name, real string
	old, now   []byte // nil: there is none
}

func (m *mover) read(name string) (f file, err error) {
	f.name = name
	if f.real, err = m.clone.Resolve(name); err == nil {
		f.old, _, err = m.clone.Read(f.real)
	}
	f.now = f.old
	return f, err
}

// move works out what goes where, and proves that lorimer.yaml says the same then.
func (c *Command) move(clone *clonefs.FS) (m *mover, err error) {
	m = &mover{Command: c, clone: clone}
	if m.yaml, err = m.read(config.FileName); err != nil {
		return nil, err
	}
	if err := m.readSettings(); err != nil {
		return nil, err
	}
	if len(m.settings) == 0 {
		return m, nil
	}
	if err = m.readEnv(); err == nil {
		m.yaml.now, err = m.intoYAML()
	}
	if err == nil {
		m.yaml.now, err = m.withEnv(m.yaml.now)
	}
	if err != nil {
		return nil, err
	}
	for i := range m.settings {
		if err := m.settings[i].takeOut(); err != nil {
			return nil, err
		}
	}
	return m, m.try()
}

// write makes the changes, in the order that never leaves a hook nowhere.
func (m *mover) write() error {
	if err := m.put(m.yaml); err != nil {
		return err
	}
	if err := m.materialize(); err != nil {
		back := file{m.yaml.name, m.yaml.real, m.yaml.now, m.yaml.old}
		if undo := m.put(back); undo != nil {
			return fmt.Errorf("%w; and %s cannot be put back: %w", err, m.yaml.name, undo)
		}
		return fmt.Errorf("nothing was moved: %w", err)
	}
	for _, s := range m.settings {
		fresh, err := m.read(s.name) // entries of lorimer's may stand in it by now
		if err == nil {
			s.file = fresh
			err = s.takeOut()
		}
		if err == nil {
			err = m.put(s.file)
		}
		if err != nil {
			return fmt.Errorf("the hooks of %s stand in %s now and were not taken out here, so they run twice; run `lorimer import` again: %w", s.name, config.FileName, err)
		}
	}
	return nil
}

// put writes a file, unless somebody changed it since it was read.
func (m *mover) put(f file) error {
	if f.now == nil {
		return m.clone.Remove(f.real)
	}
	now, _, err := m.clone.Read(f.real)
	if err != nil {
		return err
	}
	if string(now) != string(f.old) || (now == nil) != (f.old == nil) {
		return fmt.Errorf("%s was changed by someone else a moment ago and was left alone; run the command again", f.name)
	}
	return m.clone.Replace(f.real, f.now, clonefs.Options{Mode: 0o644, Keep: clonefs.Durable})
}

func (m *mover) materialize() error {
	var said strings.Builder
	work := fleet.Command{Options: m.Options, Mode: fleet.Materialize, Clones: []string{m.clone.Dir}, Dispatcher: m.Bundled, Stdout: m.Stdout, Stderr: &said}
	if m.JSON {
		work.Stdout = io.Discard
	}
	status, err := work.Run()
	if err == nil && status != fleet.Done {
		err = errors.New(strings.TrimSpace(said.String()))
	}
	return err
}

func (m *mover) report() report {
	r := report{Root: m.clone.Dir, Moved: append([]Moved{}, m.moved...), Env: append([]string{}, m.copied...), Left: append([]string{}, m.left...), Changes: []Change{}}
	for _, f := range m.files() {
		if diff := (materialize.Change{Path: f.name, Old: f.old, New: f.now}).Diff(); string(f.old) != string(f.now) {
			r.Changes = append(r.Changes, Change{f.name, string(diff)})
		}
	}
	return r
}

func (m *mover) files() []file {
	all := []file{m.yaml}
	for _, s := range m.settings {
		all = append(all, s.file)
	}
	return all
}

func (c *Command) show(r report) error {
	if c.JSON {
		enc := json.NewEncoder(c.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	r.text(c.Stdout, filepath.Base(config.FileName))
	return nil
}

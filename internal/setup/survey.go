package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/clonedir"
	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// survey is what was found, then what is to be done, then what came of it: the document of --json.
type survey struct {
	Root     string   `json:"root"`
	Status   string   `json:"status"` // same | planned | refused | written | nothing (no agent needs anything)
	Agents   []Agent  `json:"agents"`
	Sources  []Source `json:"sources"`
	Ready    []Ready  `json:"ready"`    // hooks that are put into the clone
	Handlers []Row    `json:"handlers"` // what each does in each agent
	Notes    []string `json:"notes"`    // what cannot work as it stands, or is worth knowing
	Writes   []Write  `json:"writes"`
	Proof    []Proof  `json:"proof"` // empty: nothing was fired
	Next     []string `json:"next"`  // what an agent wants of the user before it runs hooks

	plan  *materialize.Plan // nil: there is nothing yet that it could be made from
	stale bool              // the dispatcher has to be put into its place
}

// Write is one file that is written.
type Write struct {
	Path   string `json:"path"`   // below the clone, or with "~/" before it or absolute
	Action string `json:"action"` // create | update | remove
}

// survey looks. The error is what a newcomer has to do first.
func (c *Command) survey(ctx context.Context) (*survey, error) {
	root, err := c.root()
	if err != nil {
		return nil, err
	}
	if len(c.Only) == 0 {
		c.Only = materialize.Named(root, c.Table)
	}
	s := &survey{Root: root, Agents: c.agents(ctx, root), Sources: []Source{}, Ready: []Ready{}, Handlers: []Row{}, Notes: []string{}, Writes: []Write{}, Proof: []Proof{}, Next: []string{}}
	if err := c.knownIDs(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(s.Agents, func(a Agent) bool { return a.Served }) {
		return nil, c.noAgent(s.Agents)
	}
	if s.Sources, err = c.sources(root); err != nil {
		return nil, err
	}
	if gitRoot(root) == "" {
		s.Notes = append(s.Notes, root+" is no git repository: hooks work all the same, but nothing keeps what is written here apart from your own; `git init` makes it one")
	}
	return s, nil
}

// root is the clone. Hooks belong where agents look for them, at the top of a repository.
func (c *Command) root() (string, error) {
	root, err := clonedir.Real(c.Dir)
	if err != nil {
		return "", err
	}
	if home, err := filepath.EvalSymlinks(c.userHome()); err == nil && home == root {
		return "", fmt.Errorf("%s is your home, and no clone: go into a project, and run `lorimer init` there", root)
	}
	if top := gitRoot(root); top != "" && top != root && !c.hasSource(root) {
		return "", fmt.Errorf("%s is inside of the git repository %s, and agents look for a project's hooks at its top: run `lorimer init %s`", root, top, top)
	}
	return root, nil
}

// gitRoot is the top of the repository that a directory is in; "" = it is in none.
func gitRoot(dir string) string {
	for {
		if exists(filepath.Join(dir, ".git")) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func (c *Command) hasSource(root string) bool {
	return slices.ContainsFunc(append(config.NativeFiles(c.Table), config.FileName), func(f string) bool {
		return exists(filepath.Join(root, filepath.FromSlash(f)))
	})
}

func (c *Command) knownIDs() error {
	known := config.IDs(config.Usable(c.Table))
	for _, id := range c.Only {
		switch {
		case slices.Contains(known, id):
		case slices.Contains(config.Recognised(c.Table), id):
			return fmt.Errorf("--harness: %s; expected one of %s", config.NotHooked(id), strings.Join(known, ", "))
		default:
			return fmt.Errorf("--harness: unknown harness %q; expected one of %s", id, strings.Join(known, ", "))
		}
	}
	return nil
}

// plan says what is to be written, and what every handler will do.
func (c *Command) plan(s *survey) error {
	var err error
	if s.stale, err = c.dispatcher(true); err != nil {
		return err
	}
	if !s.found() && len(s.Ready) == 0 {
		return c.noHook(s)
	}
	if c.onlyNative(s) {
		c.onlyItself(s)
		return nil
	}
	if s.found() {
		if s.plan, err = materialize.PlanMaterialize(s.Root, c.Options); err != nil {
			return readOnly(err)
		}
		s.Notes = append(s.Notes, s.plan.Warnings...)
	}
	if err := c.rows(s); err != nil {
		return err
	}
	c.writes(s)
	s.Notes = append(s.Notes, c.needs(s)...)
	for _, x := range c.others(s) {
		s.Notes = append(s.Notes, x.Text)
	}
	return nil
}

// onlyNative says whether all agents that are served run the hooks of the clone by themselves.
func (c *Command) onlyNative(s *survey) bool {
	return !s.hasYAML() && !slices.ContainsFunc(s.Agents, func(a Agent) bool {
		return a.Served && !slices.ContainsFunc(config.Native(c.Table), func(h *harness.Harness) bool { return h.ID == a.ID })
	})
}

// onlyItself: what is served runs the hooks by itself, so there is nothing to hook.
func (c *Command) onlyItself(s *survey) {
	var names, others []string
	for _, a := range s.Agents {
		if a.Served {
			names = append(names, a.Name)
		}
	}
	for _, h := range config.Usable(c.Table) {
		if !isNative(h) {
			others = append(others, h.ID)
		}
	}
	s.Status = "nothing"
	c.writesReady(s)
	s.Notes = append(s.Notes, fmt.Sprintf("%s runs these hooks by itself, and no other agent is found that they could be brought to; install one, or name one with --harness (%s)",
		strings.Join(names, ", "), strings.Join(others, ", ")))
}

// settled says that there is nothing to write.
func (s *survey) settled() bool { return len(s.Writes) == 0 && (s.plan == nil || s.plan.Clean()) }

// writes lists what a run would write, in the user's words.
func (c *Command) writes(s *survey) {
	c.writesReady(s)
	if s.stale {
		action := "create"
		if exists(c.Options.Dispatcher()) {
			action = "update"
		}
		s.Writes = append(s.Writes, Write{c.Options.Dispatcher(), action})
	}
	if s.plan == nil {
		c.writesLater(s)
		return
	}
	for _, x := range s.plan.All() {
		s.Writes = append(s.Writes, Write{x.Path, x.Verb()})
	}
	if len(s.Writes) == 0 && !s.plan.Clean() {
		s.Writes = append(s.Writes, Write{"the record of what you agree to", "update"})
	}
}

// writesLater lists the agents' files where the hooks themselves are not there yet.
func (c *Command) writesLater(s *survey) {
	for _, h := range c.served(s) {
		if isNative(h) {
			continue
		}
		file := "~/" + userFile(h)
		if p := projectFile(h); p != "" {
			file = p
		}
		s.Writes = append(s.Writes, Write{file, "create"})
	}
	s.Writes = append(s.Writes, Write{".lorimer/" + filepath.Base(manifest.Path(s.Root)), "create"})
}

// served returns the rows of the agents that get hooks, by id.
func (c *Command) served(s *survey) (all []*harness.Harness) {
	for _, h := range config.Usable(c.Table) {
		if slices.ContainsFunc(s.Agents, func(a Agent) bool { return a.ID == h.ID && a.Served }) {
			all = append(all, h)
		}
	}
	return all
}

func insideAgent(err error) error {
	return fmt.Errorf("nothing was written, because that would change what is trusted: %w", err)
}

// readOnly makes an error of the file system say what to do about it.
func readOnly(err error) error {
	if errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("%w; expected a directory that you can read and write: look at its owner and mode", err)
	}
	return err
}

package materialize

import (
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/splice"
	"github.com/lorimer-dev/lorimer/internal/userlevel"
)

// The user's level is worked on as a clone is, by the same planner: its root is the user's home, its own directory lies in the
// state home, and it has no manifest, since what stands there serves every clone and looks for the clone's when it is started.

// planUser says what is to be done to the user's own files when the clone needs that; nil when they are no business of ours
// and never were.
func (o Options) planUser(root string, needed, needs userlevel.Needs) (*Plan, error) {
	all, err := userlevel.All(o.Home, root, needs)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 && len(needed) == 0 && !exists(userlevel.Dir(o.Home)) {
		return nil, nil
	}
	home, err := clonefs.OpenHome(o.usersHome(), userlevel.Dir(o.Home))
	if err != nil {
		return nil, fmt.Errorf("your own files: %w", err)
	}
	defer home.Close()
	home.Look()
	return o.planHome(home, all)
}

func (o Options) planHome(home *clonefs.FS, all map[string][]harness.Event) (*Plan, error) {
	o.Table, o.user, o.portable = userTable(o.Table), true, false
	var w want
	for _, h := range o.Table {
		if len(all[h.ID]) == 0 {
			continue
		}
		if err := o.renderUser(&w, h, all[h.ID]); err != nil {
			return nil, fmt.Errorf("%s: %w", h.ID, err)
		}
	}
	return o.plan(home, w)
}

// renderUser adds what one harness needs for events.
func (o *Options) renderUser(w *want, h *harness.Harness, events []harness.Event) error {
	if h.Shim != nil {
		return o.userShim(w, h, events)
	}
	g := groups{path: h.Hooks.Shared, harness: h.ID, keys: hookKeys(h.Hooks)}
	for _, e := range entriesOf(subscribed(h, events)) {
		group, err := o.template(h.Hooks, e.host, false)
		if err != nil {
			return err
		}
		g.entries = append(g.entries, splice.Entry{At: hookPath(h.Hooks, e.host), Value: fillTokens(group, h.Hooks.Quote, o.Dispatcher(), "")})
	}
	w.groups = append(w.groups, g)
	return nil
}

func (o *Options) userShim(w *want, h *harness.Harness, events []harness.Event) error {
	golden, err := o.shim(h)
	if err != nil {
		return err
	}
	data := golden.With(func(s *harness.ShimConfig) {
		s.Dispatcher, s.User = []string{o.Dispatcher(), userFlag}, true
		s.Events, s.FailClosed = events, []harness.Event{}
	})
	w.wholes = append(w.wholes, whole{
		path: path.Clean(h.Shim.Project), harness: h.ID, data: data,
		ours: func(other []byte) bool { return golden.Same(other) || harness.Intact(other) },
	})
	return nil
}

// userFlag is what a hook at the user's level says instead of --root.
const userFlag = "--user"

var (
	rootArgs = lazyre.Pattern{Expr: `"--root",(\s*)"\{root\}"`}
	rootWord = lazyre.Pattern{Expr: `--root \{root\}`}
)

// template returns the group of an event, with its tokens, as it stands at the level that is planned.
func (o *Options) template(h *harness.Hooks, hostEvent string, failClosed bool) ([]byte, error) {
	key := groupKey{h.Artifact, hostEvent, failClosed, o.user, o.portable}
	return once(o.memo, key, func() ([]byte, error) { return o.makeTemplate(h, hostEvent, failClosed) })
}

// groupKey is all that a group of the generator's depends on.
type groupKey struct {
	artifact, hostEvent        string
	failClosed, user, portable bool
}

func (o *Options) makeTemplate(h *harness.Hooks, hostEvent string, failClosed bool) ([]byte, error) {
	t, err := template(o.Golden, h, hostEvent, failClosed)
	switch {
	case err != nil:
		return nil, err
	case o.portable && !o.user:
		return portableGroup(t, portableLine)
	case !o.user:
		return t, nil
	}
	return rootWord.Re().ReplaceAll(rootArgs.Re().ReplaceAll(t, []byte(`"`+userFlag+`"`)), []byte(userFlag)), nil
}

// applyUser remembers what the clone needs at the user's level and brings the user's own files up to date, under their own
// lock: runs on other clones do the same.
func (p *Plan) applyUser() error {
	o := p.options
	if !p.needsDiffer() && (p.User == nil || p.User.Clean()) {
		return nil
	}
	unlock, err := o.lock(userlevel.Dir(o.Home))
	if err != nil {
		return err
	}
	defer unlock()
	if p.User, err = o.planUser(p.Root, p.needed, p.needs); err != nil {
		return err
	}
	if err := userlevel.Put(o.Home, p.Root, p.needs); err != nil || p.User == nil || p.User.Clean() {
		return err
	}
	home, err := clonefs.OpenHome(o.usersHome(), userlevel.Dir(o.Home))
	if err != nil {
		return err
	}
	defer home.Close()
	home.Hook = o.Hook
	return p.User.apply(home)
}

// All returns the changes in the clone, that of git's exclude file, and those of the user's own files, whose paths begin with
// "~/".
func (p *Plan) All() []Change {
	all := slices.Concat(p.Changes, p.excludeChange())
	if p.User == nil {
		return all
	}
	for _, c := range p.User.Changes {
		c.Path = "~/" + c.Path
		if c.backup != "" {
			c.backup = filepath.Join(userlevel.Dir(p.options.Home), "backup", path.Base(c.backup))
		}
		all = append(all, c)
	}
	return all
}

// needsDiffer says whether another thing has to be remembered of the clone.
func (p *Plan) needsDiffer() bool {
	return !p.options.user && (len(p.needed) > 0 || len(p.needs) > 0) && !reflect.DeepEqual(p.needed, p.needs)
}

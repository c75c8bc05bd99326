package materialize

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/splice"
	"github.com/lorimer-dev/lorimer/internal/userlevel"
)

// render adds what one harness needs.
func (o *Options) render(w *want, c *config.Config, h *harness.Harness, root string, before userlevel.Needs) error {
	subs := c.Subscriptions(h)
	row := Harness{ID: h.ID, Name: h.Name, Events: []harness.Event{}, Trust: h.Trust, Itself: c.RunsItself(h)}
	for _, s := range subs {
		row.Events = append(row.Events, s.Event)
		if s.Brought {
			row.Brought = append(row.Brought, s.Event)
		}
	}
	var err error
	if len(subs) > 0 { // nothing is subscribed that no handler wants
		err = o.place(w, &row, c, h, subs, root, before)
	}
	w.harnesses = append(w.harnesses, row)
	return err
}

// place puts what a harness needs where it is to be.
func (o *Options) place(w *want, row *Harness, c *config.Config, h *harness.Harness, subs []config.Subscription, root string, before userlevel.Needs) error {
	project, user, err := o.levels(h, root, before)
	if err != nil {
		return err
	}
	row.Restart = h.Shim != nil || h.Hooks.RestartToApply
	if row.Commands, err = o.commands(h, subs, root, project); err != nil {
		return err
	}
	if !project && !h.TrustUser {
		row.Trust = "" // it is about a project's own files
	}
	if user {
		row.File = "~/" + path.Clean(userFile(h))
		w.atUserLevel(h, subs, scopeOf(project))
	}
	if !project {
		return nil
	}
	row.File = path.Clean(o.projectFile(h))
	if h.Shim != nil {
		return o.renderGenerative(w, c, h, subs, root)
	}
	return o.renderExternal(w, h, subs, root)
}

// shimKey is the name of an artifact that is a shim.
type shimKey string

// shim returns a harness's shim as the generator emitted it.
func (o *Options) shim(h *harness.Harness) (harness.ShimFile, error) {
	return once(o.memo, shimKey(h.Shim.Artifact), func() (harness.ShimFile, error) {
		src, err := fs.ReadFile(o.Golden, h.Shim.Artifact)
		if err != nil {
			return harness.ShimFile{}, err
		}
		s, err := harness.ParseShim(src)
		if err != nil {
			err = fmt.Errorf("the generated shim %s: %w", h.Shim.Artifact, err)
		}
		return s, err
	})
}

func (o *Options) renderGenerative(w *want, c *config.Config, h *harness.Harness, subs []config.Subscription, root string) error {
	golden, err := o.shim(h)
	if err != nil {
		return err
	}
	data := golden.With(func(s *harness.ShimConfig) {
		if s.Dispatcher = []string{o.Dispatcher(), "--root", root}; o.portable {
			s.Dispatcher, s.Portable = []string{DispatcherName}, upwards(h.Shim.Project)
		}
		s.Events, s.FailClosed = []harness.Event{}, []harness.Event{}
		for _, x := range subs {
			s.Events = append(s.Events, x.Event)
			if x.FailClosed {
				s.FailClosed = append(s.FailClosed, x.Event)
			}
		}
		s.MaxContinuations = c.MaxContinuations()
	})
	w.wholes = append(w.wholes, whole{
		path: path.Clean(h.Shim.Project), harness: h.ID, data: data,
		ours: func(other []byte) bool { return golden.Same(other) || harness.Intact(other) },
	})
	return nil
}

// commands are the texts that stand in the entries of a harness with a hook config: by them the host tells our hooks.
func (o *Options) commands(h *harness.Harness, subs []config.Subscription, root string, project bool) (texts []string, err error) {
	if h.Hooks == nil {
		return nil, nil
	}
	at := *o
	at.user = !project
	if at.user {
		root = ""
	}
	for _, s := range entriesOf(subs) {
		group, err := at.template(h.Hooks, s.host, s.failClosed && project)
		if err != nil {
			return nil, err
		}
		texts = append(texts, leaves(gjson.ParseBytes(fillTokens(group, h.Hooks.Quote, o.Dispatcher(), root)))...)
	}
	return texts, nil
}

// leaves are the texts in a value that name the dispatcher.
func leaves(v gjson.Result) (texts []string) {
	if v.Type == gjson.String && strings.Contains(v.Str, DispatcherName) {
		return []string{v.Str}
	}
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, x gjson.Result) bool { texts = append(texts, leaves(x)...); return true })
	}
	return texts
}

// entry is one of the host's events that is hooked.
type entry struct {
	host       string
	failClosed bool
}

// entriesOf are the host's events behind the neutral ones: one may be several of those, and one of those may be several of the
// host's. What one of them has to block on, all have to.
func entriesOf(subs []config.Subscription) (all []entry) {
	for _, s := range subs {
		for _, host := range s.Hosts() {
			i := slices.IndexFunc(all, func(e entry) bool { return e.host == host })
			if i < 0 {
				i, all = len(all), append(all, entry{host: host})
			}
			all[i].failClosed = all[i].failClosed || s.FailClosed
		}
	}
	return all
}

func (o *Options) renderExternal(w *want, h *harness.Harness, subs []config.Subscription, root string) error {
	g := groups{path: path.Clean(o.projectFile(h)), harness: h.ID, keys: hookKeys(h.Hooks)}
	for _, s := range entriesOf(subs) {
		group, err := o.template(h.Hooks, s.host, s.failClosed)
		if err != nil {
			return err
		}
		g.entries = append(g.entries, splice.Entry{
			At:    hookPath(h.Hooks, s.host),
			Value: fillTokens(group, h.Hooks.Quote, o.Dispatcher(), root),
		})
	}
	w.groups = append(w.groups, g)
	return nil
}

package materialize

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/gitexclude"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/userlevel"
)

// Scope says at which level an agent is given its hooks: in the clone, or in the user's own files, which serve every clone.
type Scope string

const (
	KeepScope    Scope = ""        // where it was; a clone that is new: ProjectScope, or UserScope where the agent has no other or is better served there
	ProjectScope Scope = "project" // in the clone
	UserScope    Scope = "user"    // below the user's home, shared by all clones that want it
	BothScope    Scope = "both"    // in both; an event is served once all the same
)

// ParseScope reads what a user wrote.
func ParseScope(text string) (Scope, error) {
	s := Scope(text)
	if !slices.Contains([]Scope{KeepScope, ProjectScope, UserScope, BothScope}, s) {
		return "", fmt.Errorf("%q; expected project, user or both", text)
	}
	return s, nil
}

func projectFile(h *harness.Harness) string {
	if h.Shim != nil {
		return h.Shim.Project
	}
	return hookFile(h.Hooks)
}

func userFile(h *harness.Harness) string {
	if h.Shim != nil {
		return h.Shim.User
	}
	return h.Hooks.User
}

// levels returns where a harness gets its hooks. It fails where the host reads none from there.
func (o *Options) levels(h *harness.Harness, root string, before userlevel.Needs) (project, user bool, err error) {
	scope := o.Scope
	if scope == KeepScope {
		scope = o.firstScope(h, root, before)
	}
	project, user = scope != UserScope, scope != ProjectScope
	switch {
	case project && projectFile(h) == "":
		return false, false, fmt.Errorf("%s reads no hooks from a project, only from the user's own files; give --scope user, or leave it out of `harnesses:`", h.Name)
	case project && h.Hooks != nil && h.Hooks.LinkedMain && gitexclude.Linked(root):
		return false, false, fmt.Errorf("%s is a linked worktree, where %s reads %s of the main checkout alone; give --scope user", root, h.Name, projectFile(h))
	case user && userFile(h) == "":
		return false, false, fmt.Errorf("%s reads no hooks from the user's own files; give --scope project, or leave it out of `harnesses:`", h.Name)
	case user && o.usersHome() == "":
		return false, false, fmt.Errorf("HOME is not set, so the user's own files cannot be found; set it, or give --scope project")
	case user && !below(root, o.userPath("")):
		return false, false, fmt.Errorf("%s does not lie below your home, and a hook of your own looks for clones nowhere else; give --scope project", root)
	}
	return project, user, nil
}

// firstScope is the scope of a harness where the user says nothing: where it was, else where the descriptor has it best.
func (o *Options) firstScope(h *harness.Harness, root string, before userlevel.Needs) Scope {
	if was, ok := before[h.ID]; ok {
		return Scope(was.Scope)
	}
	reaches := o.usersHome() != "" && below(root, o.userPath(""))
	if userFile(h) != "" && (projectFile(h) == "" || h.Hooks != nil && h.Hooks.UserFirst && reaches && !o.inProject(h, root)) {
		return UserScope
	}
	return ProjectScope
}

// inProject says whether the harness's hooks stand in the clone's own file by now.
func (o *Options) inProject(h *harness.Harness, root string) bool {
	src, err := plainfile.Settings(filepath.Join(root, filepath.FromSlash(projectFile(h))))
	return err == nil && bytes.Contains(src, []byte(DispatcherName))
}

func below(dir, top string) bool {
	rel, err := filepath.Rel(top, dir)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

func scopeOf(project bool) Scope {
	if project {
		return BothScope
	}
	return UserScope
}

// atUserLevel notes that the clone needs the harness's hooks in the user's own files.
func (w *want) atUserLevel(h *harness.Harness, subs []config.Subscription, scope Scope) {
	if w.user == nil {
		w.user = userlevel.Needs{}
	}
	need := userlevel.Need{Scope: string(scope)}
	for _, s := range subs {
		need.Events = append(need.Events, s.Event)
		if s.FailClosed && h.Hooks != nil && (h.Hooks.HostFailsClosed || h.Polarity != nil && h.Polarity.Missing) {
			w.warnings = append(w.warnings, fmt.Sprintf("%s: when lorimer-dispatch itself is gone, %s passes at the user's level, because it would be blocked in every project otherwise; "+
				"give --scope project for it to hold", h.Name, s.Event))
		}
	}
	w.user[h.ID] = need
}

// userTable returns the harnesses as they are at the user's level: what they read there is their project's file.
func userTable(table []*harness.Harness) (all []*harness.Harness) {
	for _, h := range table {
		row := *h
		switch {
		case h.Shim != nil && h.Shim.User != "":
			shim := *h.Shim
			shim.Project = path.Clean(h.Shim.User)
			row.Shim = &shim
		case h.Shim == nil && h.Hooks != nil && h.Hooks.User != "":
			hooks := *h.Hooks
			hooks.Local, hooks.Shared = "", path.Clean(h.Hooks.User)
			row.Hooks = &hooks
		default:
			continue
		}
		all = append(all, &row)
	}
	return all
}

package materialize

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/userlevel"
)

// Elsewhere is a place below which an agent looks for its user's own files instead of the user's home.
type Elsewhere struct {
	Harness *harness.Harness
	Root    string                   // absolute; nothing is written outside of it
	Place   func(path string) string // where a path of the home ("~/...") lies: absolute, below Root
}

// UserLevel puts there what the agent's file in the user's home has of ours: the hooks of all clones that want them at the
// user's level. What somebody else wrote into that file stays; when no clone wants any, ours are taken out. It returns the
// texts that start our hooks, where the host has a hook config, and the file; "" when there is nothing in it.
func (o Options) UserLevel(at Elsewhere) (commands []string, file string, err error) {
	all, err := userlevel.All(o.Home, "", nil)
	if err != nil || userFile(at.Harness) == "" {
		return nil, "", err
	}
	own := filepath.Join(userlevel.Dir(o.Home), "elsewhere", at.Harness.ID)
	events := all[at.Harness.ID]
	if len(events) == 0 && !exists(own) {
		return nil, "", nil
	}
	row, file, err := at.row()
	if err != nil {
		return nil, "", err
	}
	if err := o.putElsewhere(at.Root, own, row, events); err != nil {
		return nil, "", fmt.Errorf("the hooks of %s in %s: %w", row.Name, file, err)
	}
	if len(events) == 0 {
		return nil, "", nil
	}
	commands, err = o.usersCommands(row, events)
	return commands, file, err
}

// row is the harness with its user's file where that lies, as a slash path below the root.
func (at Elsewhere) row() (*harness.Harness, string, error) {
	file := at.Place("~/" + filepath.ToSlash(userFile(at.Harness)))
	rel, err := filepath.Rel(at.Root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, "", fmt.Errorf("%s does not lie below %s", file, at.Root)
	}
	row := *at.Harness
	if row.Shim != nil {
		shim := *row.Shim
		shim.User = filepath.ToSlash(rel)
		row.Shim = &shim
	} else {
		hooks := *row.Hooks
		hooks.User = filepath.ToSlash(rel)
		row.Hooks = &hooks
	}
	return &row, file, nil
}

func (o Options) putElsewhere(root, own string, row *harness.Harness, events []harness.Event) error {
	unlock, err := o.lock(own)
	if err != nil {
		return err
	}
	defer unlock()
	if err := os.MkdirAll(root, 0o700); err != nil {
		return err
	}
	home, err := clonefs.OpenHome(root, own)
	if err != nil {
		return err
	}
	defer home.Close()
	o.Table = []*harness.Harness{row}
	p, err := o.planHome(home, map[string][]harness.Event{row.ID: events})
	if err != nil || p.Clean() {
		return err
	}
	return p.apply(home)
}

func (o *Options) usersCommands(h *harness.Harness, events []harness.Event) ([]string, error) {
	return o.commands(h, subscribed(h, events), "", false)
}

// subscribed are the events as the harness has them; those that it has not, another version of lorimer hooked.
func subscribed(h *harness.Harness, events []harness.Event) (subs []config.Subscription) {
	for _, e := range events {
		if b, ok := h.Binding(e); ok {
			subs = append(subs, config.Subscription{Binding: b})
		}
	}
	return subs
}

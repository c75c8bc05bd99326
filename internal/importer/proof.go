package importer

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// try proves what was worked out: lorimer.yaml has all handlers that it had, and those that are moved, as the host would run them;
// and materialize takes it. Nothing was written yet.
func (m *mover) try() error {
	before := []manifest.Handler{}
	if m.yaml.old != nil {
		c, err := m.loaded(m.yaml.old)
		if err != nil {
			return err
		}
		before = handlers(c)
	}
	c, err := m.loaded(m.yaml.now)
	if err != nil {
		return fmt.Errorf("what would be written is not accepted: %w", err)
	}
	if got, want := handlers(c), append(before, m.asHandlers()...); !sameHandlers(got, want) {
		return fmt.Errorf("%s would say something else than the settings do, so nothing was moved; this is a fault of lorimer, please report it", m.yaml.name)
	}
	return m.tryMaterialize()
}

// tryMaterialize plans with the new file, from another place.
func (m *mover) tryMaterialize() error {
	dir, err := os.MkdirTemp("", "lorimer-import")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o := m.Options
	o.Config = filepath.Join(dir, config.FileName)
	if err := os.WriteFile(o.Config, m.yaml.now, 0o600); err != nil {
		return err
	}
	_, err = materialize.PlanMaterialize(m.clone.Dir, o)
	return err
}

// asHandlers are the hooks that go into lorimer.yaml, read from the settings.
func (m *mover) asHandlers() (all []manifest.Handler) {
	i := 0
	for _, s := range m.settings {
		for _, g := range s.groups {
			for _, h := range g.moved {
				if !m.moved[i].Already {
					all = append(all, alone(g, h)...)
				}
				i++
			}
		}
	}
	return all
}

// alone reads one hook of a group as a host would, and as a manifest has it.
func alone(g group, h *claudehooks.Node) []manifest.Handler {
	one := g
	one.moved = []*claudehooks.Node{h}
	hooks := &claudehooks.Node{Kind: claudehooks.Object, Members: []claudehooks.Member{
		{Key: g.event, Value: &claudehooks.Node{Kind: claudehooks.List, Items: []*claudehooks.Node{one.only()}}},
	}}
	return handlers(config.OfHooks(claudehooks.Reader{}.Hooks(hooks)))
}

// stands says whether lorimer.yaml has the hook already: a run that was cut short put it there.
func (m *mover) stands(src []byte, g group, h *claudehooks.Node) bool {
	c, err := m.loaded(src)
	if err != nil {
		return false // said elsewhere
	}
	have := handlers(c)
	return !slices.ContainsFunc(alone(g, h), func(x manifest.Handler) bool {
		return !slices.ContainsFunc(have, func(y manifest.Handler) bool { return reflect.DeepEqual(x, y) })
	})
}

// handlers are those of a configuration, without their names, which come from their places.
func handlers(c *config.Config) (all []manifest.Handler) {
	made := c.Manifest("", []*harness.Harness{{ID: "any"}})
	for event, list := range made.Events {
		for _, h := range list {
			h.Name = event
			all = append(all, h)
		}
	}
	return all
}

func sameHandlers(a, b []manifest.Handler) bool {
	b = slices.Clone(b)
	for _, x := range a {
		i := slices.IndexFunc(b, func(y manifest.Handler) bool { return reflect.DeepEqual(x, y) })
		if i < 0 {
			return false
		}
		b = slices.Delete(b, i, i+1)
	}
	return len(b) == 0
}

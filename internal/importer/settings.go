package importer

import (
	"fmt"
	"path"
	"reflect"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/splice"
)

// settings is one settings file with hooks that can be moved.
type settings struct {
	file
	groups []group
}

// group is a group of hooks of which some are moved.
type group struct {
	event string
	node  *claudehooks.Node
	moved []*claudehooks.Node // of its hooks
	rest  []*claudehooks.Node
}

// readSettings finds what can be moved.
func (m *mover) readSettings() error {
	for _, name := range config.NativeFiles(m.Table) {
		f, err := m.read(name)
		if err != nil || f.old == nil {
			if err != nil {
				return err
			}
			continue
		}
		read := claudehooks.Reader{File: name, Mine: materialize.Ours}.Settings(f.old)
		if read.Disabled != nil && *read.Disabled {
			return fmt.Errorf("%s: disableAllHooks is true, so none of its hooks runs, and moving them would make them run; take that out first", name)
		}
		if err := read.Faults.Err(); err != nil {
			return err
		}
		for _, w := range read.Warnings {
			m.left = append(m.left, w.String())
		}
		if s := (settings{file: f}); len(read.Entries) > 0 {
			s.find(read.Entries)
			m.settings = append(m.settings, s)
			for _, e := range read.Entries {
				m.moved = append(m.moved, Moved{From: e.Name, Event: string(e.Event), Matcher: e.Matcher, Command: commandOf(e)})
			}
		}
	}
	return nil
}

func commandOf(e claudehooks.Entry) string {
	if !e.Direct {
		return manifest.Handler{Run: e.Command}.Command()
	}
	return manifest.Handler{Argv: append([]string{e.Command}, e.Args...)}.Command()
}

// find fills in the groups that the entries stand in.
func (s *settings) find(entries []claudehooks.Entry) {
	top, fault := claudehooks.JSON(s.name, s.old)
	if fault != nil {
		return // then there are no entries
	}
	for _, m := range top.Get("hooks").Members {
		for i, g := range m.Value.Items {
			x := group{event: m.Key, node: g}
			for j, h := range g.Get("hooks").Items {
				name := fmt.Sprintf("%s:%s[%d].hooks[%d]", path.Base(s.name), m.Key, i, j)
				if slices.ContainsFunc(entries, func(e claudehooks.Entry) bool { return e.Name == name }) {
					x.moved = append(x.moved, h)
				} else {
					x.rest = append(x.rest, h)
				}
			}
			if len(x.moved) > 0 {
				s.groups = append(s.groups, x)
			}
		}
	}
}

// takeOut makes the file's text without what is moved. What was made for these hooks alone goes with them.
func (s *settings) takeOut() error {
	var want []splice.Entry
	undo := []splice.Origin{{At: []string{"hooks"}, Absent: true}}
	for _, g := range s.groups {
		at := []string{"hooks", g.event}
		undo = append(undo, splice.Origin{At: at, Absent: true})
		if len(g.rest) > 0 {
			want = append(want, splice.Entry{At: at, Value: []byte(jsonOf(g.without()))})
		}
	}
	r, err := splice.Put(splice.File{Name: s.name, Src: s.old, At: []string{"hooks", splice.Any}, Mine: s.goes, Force: true}, want, undo)
	s.now = r.Src
	return err
}

// goes says whether a group is one of those that are changed, or what is left of one.
func (s *settings) goes(element []byte) splice.Claim {
	n, fault := claudehooks.JSON(s.name, element)
	if fault == nil && slices.ContainsFunc(s.groups, func(g group) bool {
		return reflect.DeepEqual(g.node.Value(), n.Value()) || len(g.rest) > 0 && reflect.DeepEqual(g.without().Value(), n.Value())
	}) {
		return splice.Ours
	}
	return splice.Foreign
}

// without is the group without what is moved.
func (g group) without() *claudehooks.Node {
	return g.node.With("hooks", &claudehooks.Node{Kind: claudehooks.List, Items: g.rest})
}

// only is the group with what is moved alone.
func (g group) only() *claudehooks.Node {
	return g.node.With("hooks", &claudehooks.Node{Kind: claudehooks.List, Items: g.moved})
}

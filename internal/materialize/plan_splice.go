package materialize

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"slices"
	"sync"

	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/owned"
	"github.com/lorimer-dev/lorimer/internal/splice"
)

// splice plans our entries in a file that is the user's; none means that they are taken out.
func (p *planner) splice(g groups) error {
	real, cur, info, err := p.read(g.path)
	if err != nil || cur == nil && len(g.entries) == 0 {
		return err
	}
	f, known := p.record.Find(g.path, cur)
	if known && cur != nil && f.SHA256 == owned.Hash(cur) && f.Harness == g.harness && slices.Equal(f.Keys, g.keys) && sameEntries(f.Entries, g.entries) {
		p.own(f) // every byte is as we left it, with what is wanted in it: there is nothing to be read
		return nil
	}
	start := cur
	if cur == nil || known && f.Created && blank(cur) {
		start = p.fresh(g.path)
	}
	r, err := splice.Put(p.document(g, start), g.entries, f.Undo)
	if err != nil {
		return err
	}
	created := cur == nil || known && f.Created
	c := Change{Path: g.path, Old: cur, New: r.Src, real: real, mode: mode(info)}
	if !blank(cur) {
		c.keep = clonefs.Durable // what else is in it is the user's, and cannot be made again
	}
	if created && len(g.entries) == 0 && (len(bytes.TrimSpace(r.Src)) == 0 || bytes.Equal(r.Src, p.fresh(g.path))) {
		c.New = nil // it was made for our entries, and nobody put anything else into it
	}
	same := cur != nil && c.New != nil && bytes.Equal(c.Old, c.New)
	if !same {
		p.change(c, r.Forced)
	}
	if len(g.entries) == 0 {
		return nil
	}
	now := owned.File{
		Path: g.path, Harness: g.harness, How: owned.Spliced, SHA256: owned.Hash(c.New),
		Created: created, Keys: g.keys, Entries: entries(g.entries), Undo: r.Undo,
	}
	if same && known {
		now.SHA256 = f.SHA256 // the user's edits elsewhere in the file are no reason to write the record
	}
	p.own(now)
	return nil
}

// fresh is what a new hook config at the path begins as: the keys without which the host does not read it; nil = nothing.
func (p *planner) fresh(path string) []byte {
	for _, h := range p.options.Table {
		if h.Hooks == nil || h.Hooks.Root == "" || h.Hooks.Local != path && h.Hooks.Shared != path {
			continue
		}
		var b bytes.Buffer
		if json.Indent(&b, []byte(h.Hooks.Root), "", "  ") == nil {
			b.WriteByte('\n')
			return b.Bytes()
		}
	}
	return nil
}

// document is the file as splice edits it.
func (p *planner) document(g groups, cur []byte) splice.File {
	c := &claims{templates: sync.OnceValue(func() []any { return p.templates(g.path) })}
	for _, e := range p.record.Entries(g.path) {
		c.add(&c.written, e.Value)
	}
	for _, e := range g.entries {
		c.add(&c.written, e.Value)
	}
	return splice.File{Name: g.path, Src: cur, At: g.keys, Mine: c.judge, Force: p.overrides(g.path)}
}

// sameEntries says whether the record's entries are the wanted ones to the byte, but for the record's indent.
func sameEntries(have []owned.Entry, want []splice.Entry) bool {
	return len(want) > 0 && slices.EqualFunc(have, want, func(h owned.Entry, w splice.Entry) bool {
		var x, y bytes.Buffer
		return slices.Equal(h.At, w.At) && json.Compact(&x, h.Value) == nil && json.Compact(&y, w.Value) == nil && bytes.Equal(x.Bytes(), y.Bytes())
	})
}

func entries(list []splice.Entry) []owned.Entry {
	out := make([]owned.Entry, len(list))
	for i, e := range list {
		out[i] = owned.Entry{At: e.At, Value: e.Value}
	}
	return out
}

func mode(info fs.FileInfo) fs.FileMode {
	if info == nil {
		return 0
	}
	return info.Mode().Perm()
}

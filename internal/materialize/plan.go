package materialize

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/agree"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/owned"
	"github.com/lorimer-dev/lorimer/internal/userlevel"
)

// Plan is what a run would do to a clone. It was computed from the clone as it stood; Apply refuses when it changed since.
type Plan struct {
	Root      string    // the clone, absolute, links resolved
	Changes   []Change  // in the order in which they are made
	Harnesses []Harness // what each harness gets; empty for clean
	Warnings  []string
	Untrusted bool      // the manifest that stands there, or will, still has to be trusted
	Commands  []Program // that were not agreed to before
	// Differences are the same and more, what is gone and what holds for all handlers: all that the user agrees to by Apply.
	Differences []agree.Difference
	Kept        []string // paths below the clone that clean leaves on purpose
	Portable    bool     // the agents' files are ones that can be committed
	User        *Plan    // for the user's own files; nil = they are not concerned

	options  Options
	needed   userlevel.Needs // of the clone before, in the user's own files
	needs    userlevel.Needs // now
	manifest []byte          // to be trusted; nil for clean
	before   []byte          // the record's bytes; nil = there is none
	after    []byte          // when the plan was carried out; nil when nothing of ours is left
	record   owned.Record
	next     owned.State
	makeDirs []string // that do not exist yet, outermost first
	dropDirs []string // that we made and need no more, innermost first
	stale    []string // what a run that was cut short left behind
	exclude  *exclusion
}

// Change is a file that a plan changes.
type Change struct {
	Path string // slash path below the clone, as a user knows it
	Old  []byte // nil: there is no such file
	New  []byte // nil: the file is removed

	real   string // Path without links
	mode   fs.FileMode
	keep   clonefs.Keep
	backup string // where Old is copied to first; usually empty
}

// Clean says that there is nothing to do.
func (p *Plan) Clean() bool {
	return p.cleanHere() && !p.exclude.differs() && !p.needsDiffer() && (p.User == nil || p.User.Clean())
}

// cleanHere is Clean without the user's own files.
func (p *Plan) cleanHere() bool {
	return len(p.Changes) == 0 && len(p.stale) == 0 && !p.Untrusted && !p.recordDiffers()
}

// Manifest returns the manifest as it will stand in the clone; nil for clean.
func (p *Plan) Manifest() []byte { return p.manifest }

// recordDiffers says whether the ownership record has to be written, for itself alone.
func (p *Plan) recordDiffers() bool {
	return !bytes.Equal(p.before, p.after)
}

// encoded returns a record's bytes; nil when nothing of ours is left.
func encoded(s owned.State) []byte {
	if len(s.Files) == 0 {
		return nil
	}
	return owned.Record{State: s}.Encode()
}

// planner puts a plan together.
type planner struct {
	*Plan
	clone  *clonefs.FS
	faults []error // all that stand in the way, so that a user sees them at once
	spoken map[string]bool
	cut    bool // the last run did not end
}

// plan holds what is wanted against the clone. The error joins everything that stands in the way.
func (o Options) plan(clone *clonefs.FS, w want) (*Plan, error) {
	p := &planner{clone: clone, spoken: map[string]bool{}, Plan: &Plan{
		Root: clone.Dir, Portable: o.portable, Harnesses: w.harnesses, Warnings: w.warnings, options: o, manifest: w.manifest, needs: w.user,
	}}
	if err := p.readRecord(); err != nil {
		return nil, err
	}
	var last []whole // the manifest is written when everything else is in its place
	for _, x := range w.wholes {
		if x.path == manifestPath {
			p.spoken[x.path] = true
			last = append(last, x)
			continue
		}
		p.check(x.path, p.whole(x))
	}
	for _, x := range w.companions {
		p.check(x.path, p.companion(x))
	}
	for _, g := range w.groups {
		p.check(g.path, p.splice(g))
	}
	p.unwanted()
	for _, x := range last {
		p.manifest = p.afterwards(w.compiled)
		x.data = p.manifest
		p.check(x.path, p.whole(x))
	}
	p.dirs()
	p.next.Only = w.only
	p.after = encoded(p.next)
	p.findStale()
	if err := p.trust(); err != nil {
		p.faults = append(p.faults, err)
	}
	if !o.user {
		var err error
		p.needed = userlevel.Of(o.Home, p.Root)
		if p.User, err = o.planUser(p.Root, p.needed, p.needs); err != nil {
			p.faults = append(p.faults, err)
		}
	}
	if e, warning := o.planExclude(p.Root, p.holds()); warning != "" {
		p.Warnings = append(p.Warnings, warning)
	} else {
		p.exclude = e
	}
	return p.Plan, errors.Join(p.faults...)
}

func (p *planner) readRecord() (err error) {
	real, err := p.clone.Resolve(owned.Path)
	if err != nil {
		return err
	}
	if real != owned.Path {
		return fmt.Errorf("%s is reached through a link; expected lorimer's own directory, for the record of what is its", owned.Path)
	}
	if p.before, _, err = p.clone.Read(owned.Path); err != nil {
		return err
	}
	r, err := owned.Parse(p.before)
	if err != nil {
		return err
	}
	p.cut = r.Next != nil
	p.record, err = p.settled(r)
	return err
}

// settled resolves the record of a run that was cut short: of each file the state holds that it is in.
func (p *planner) settled(r owned.Record) (owned.Record, error) {
	if r.Next == nil {
		return r, nil
	}
	out := owned.Record{State: owned.State{Dirs: r.AllDirs(), Only: r.Next.Only}}
	for _, path := range r.Paths() {
		_, cur, _, err := p.read(path)
		if err != nil {
			return out, err
		}
		f, _ := r.Find(path, cur)
		if f.How == owned.Spliced {
			f.Entries = r.Entries(path)
		}
		out.Files = append(out.Files, f)
	}
	return out, nil
}

// check notes that the path was dealt with, and what stands in the way there.
func (p *planner) check(path string, err error) {
	p.spoken[path] = true
	if err != nil {
		p.faults = append(p.faults, err)
	}
}

// unwanted takes out what is ours and should not stand there: what the record knows, and what shows itself to be ours.
func (p *planner) unwanted() {
	for _, path := range p.record.Paths() {
		if !p.spoken[path] {
			p.check(path, p.takeOut(path))
		}
	}
	for _, h := range p.options.Table {
		p.leftovers(h)
	}
}

// takeOut removes what the record says of one path.
func (p *planner) takeOut(path string) error {
	real, cur, info, err := p.read(path)
	if err != nil {
		return err
	}
	f, _ := p.record.Find(path, cur)
	switch f.How {
	case owned.Spliced:
		return p.splice(groups{path: path, harness: f.Harness, keys: f.Keys})
	case owned.Companion:
		if f.SHA256 != owned.Hash(cur) && !blank(cur) {
			return nil // it is somebody else's by now
		}
	}
	return p.removeWhole(Change{Path: path, Old: cur, real: real, mode: mode(info)}, f.SHA256 == owned.Hash(cur) || blank(cur))
}

// leftovers looks for what is ours where the harness reads from, without a record. What cannot be read there is none of
// our business.
func (p *planner) leftovers(h *harness.Harness) {
	if h.Hooks != nil {
		for _, path := range []string{h.Hooks.Local, h.Hooks.Shared} {
			_, cur, _, err := p.read(path)
			if p.spoken[path] || err != nil || !bytes.Contains(cur, []byte(DispatcherName)) {
				continue
			}
			if err := p.splice(groups{path: path, harness: h.ID, keys: hookKeys(h.Hooks)}); err != nil {
				p.Warnings = append(p.Warnings, "hooks of an earlier run may stand in a file that lorimer cannot edit: "+err.Error())
			}
			p.spoken[path] = true
		}
	}
	if h.Shim == nil || p.spoken[h.Shim.Project] {
		return
	}
	real, cur, _, err := p.read(h.Shim.Project)
	if err != nil || cur == nil {
		return
	}
	golden, err := p.options.shim(h)
	if err == nil && (golden.Same(cur) || harness.Intact(cur)) {
		p.check(h.Shim.Project, p.removeWhole(Change{Path: h.Shim.Project, Old: cur, real: real}, true))
	}
}

// read returns where a path leads and what stands there; nil bytes when nothing does.
func (p *planner) read(path string) (real string, data []byte, info fs.FileInfo, err error) {
	if real, err = p.clone.Resolve(path); err != nil {
		return "", nil, nil, err
	}
	data, info, err = p.clone.Read(real)
	return real, data, info, err
}

// change adds a change and keeps a copy of what it overrides.
func (p *planner) change(c Change, keep bool) {
	if c.mode == 0 {
		c.mode = 0o644
	}
	if keep {
		c.backup = p.backupName(c.Path)
	}
	p.Changes = append(p.Changes, c)
}

// own adds a file to the record that is to be.
func (p *planner) own(f owned.File) { p.next.Files = append(p.next.Files, f) }

// templates returns what entries of ours in the file can look like, whichever harness they are for.
func (p *planner) templates(path string) []any {
	var all []any
	for _, h := range p.options.Table {
		if h.Hooks == nil || h.Hooks.Local != path && h.Hooks.Shared != path {
			continue
		}
		for _, b := range h.Events {
			for _, host := range b.Hosts() {
				all = append(all, p.options.entryForms(h.Hooks, host)...)
			}
		}
	}
	return slices.Clip(all)
}

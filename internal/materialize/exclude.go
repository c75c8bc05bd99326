package materialize

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/gitexclude"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/owned"
)

// excludeFile is git's list of what it does not show, below the repository's common directory.
const excludeFile = "info/exclude"

// exclusion is what is to be done to the exclude file of the repository that the clone is a checkout of.
type exclusion struct {
	repo     gitexclude.Repository
	real     string // the file, links resolved, below repo.Common
	old, now []byte // nil: there is no file
}

func (e *exclusion) differs() bool {
	return e != nil && ((e.old == nil) != (e.now == nil) || !bytes.Equal(e.old, e.now))
}

// planExclude reads the exclude file. It is nil where there is no repository of the clone's own. What is wrong with the file is
// a warning: the hooks work all the same, and git shows their files as untracked.
func (o Options) planExclude(root string, wanted bool) (e *exclusion, warning string) {
	repo, ok := gitexclude.Find(root)
	if !ok || o.user {
		return nil, ""
	}
	e, err := o.readExclude(repo, wanted)
	if err != nil {
		return nil, fmt.Sprintf("git will show lorimer's files as untracked: %s: %v", repo.File(), err)
	}
	return e, ""
}

func (o Options) readExclude(repo gitexclude.Repository, wanted bool) (*exclusion, error) {
	common, err := clonefs.Open(repo.Common)
	if err != nil {
		return nil, err
	}
	defer common.Close()
	common.Look()
	e := &exclusion{repo: repo}
	if e.real, err = common.Resolve(excludeFile); err != nil {
		return nil, err
	}
	if e.old, _, err = common.Read(e.real); err != nil {
		return nil, err
	}
	switch {
	case wanted:
		e.now, err = gitexclude.With(e.old, o.excludePatterns(o.portable || slices.ContainsFunc(repo.Others(), o.portableAt)))
	case slices.ContainsFunc(repo.Others(), func(dir string) bool { return exists(filepath.Join(dir, filepath.FromSlash(owned.Path))) }):
		e.now = e.old // another checkout still needs the lines
	default:
		e.now, err = gitexclude.Without(e.old)
	}
	return e, err
}

// excludePatterns lists what this lorimer may put into a checkout and that is never anybody else's. It is the same for every
// clone, whatever its configuration says: the checkouts of a repository share the file. Companions are left out: a user may
// have a file of that name tomorrow, and git must not hide it. What is committed is not hidden either, in any checkout.
func (o Options) excludePatterns(portable bool) []string {
	list := []string{gitexclude.Pattern(dir + "/")}
	add := func(p string) {
		if p != "" {
			list = append(list, gitexclude.Pattern(path.Clean(p)))
		}
	}
	for _, h := range o.Table {
		if h.Hooks != nil {
			add(h.Hooks.Local)
		}
		if h.Shim != nil && !portable {
			add(h.Shim.Project)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// applyExclude brings the exclude file up to date, under a lock of its own: other checkouts write it, too. A checkout that was
// cleaned looks again in any case: when the plan was made, another one may still have needed the lines.
func (p *Plan) applyExclude() {
	if p.exclude == nil || p.holds() && !p.exclude.differs() {
		return
	}
	if err := p.writeExclude(); err != nil {
		p.Warnings = append(p.Warnings, fmt.Sprintf("git will show lorimer's files as untracked: %s: %v%s", p.exclude.repo.File(), err, advice(err)))
	}
}

func (p *Plan) writeExclude() error {
	unlock, err := p.options.lock(p.exclude.repo.Common)
	if err != nil {
		return err
	}
	defer unlock()
	e, err := p.options.readExclude(p.exclude.repo, p.holds())
	if err != nil || !e.differs() {
		return err
	}
	common, err := clonefs.Open(e.repo.Common)
	if err != nil {
		return err
	}
	defer common.Close()
	common.Hook = p.options.Hook
	p.exclude = e
	if e.now == nil {
		return common.Remove(e.real)
	}
	if d := path.Dir(e.real); !common.IsDir(d) {
		if err := common.Mkdir(d); err != nil {
			return err
		}
	}
	return common.Replace(e.real, e.now, clonefs.Options{Mode: 0o644, Keep: clonefs.Entire})
}

// holds says whether something of ours will stand in the clone.
func (p *Plan) holds() bool { return len(p.next.Files) > 0 }

// excludeChange is the exclude file's part of what a plan shows; its path is that below the clone, where it lies there.
func (p *Plan) excludeChange() []Change {
	if !p.exclude.differs() {
		return nil
	}
	name := p.exclude.repo.File()
	if rel, err := filepath.Rel(p.Root, name); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	return []Change{{Path: filepath.ToSlash(name), Old: p.exclude.old, New: p.exclude.now}}
}

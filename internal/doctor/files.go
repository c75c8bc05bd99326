package doctor

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

func (p *patient) known() []string { return config.IDs(config.Usable(p.Table)) }

// ofFiles sorts what materialize would change: by whose it is, and by why.
func (p *patient) ofFiles() {
	if p.plan == nil {
		return
	}
	for _, x := range p.plan.All() {
		p.file(p.owner(x.Path), x)
	}
	for _, w := range p.plan.Warnings {
		p.add("", Files, Note, w, "")
	}
}

// owner is the agent whose file it is; "" = it is everybody's.
func (p *patient) owner(path string) string {
	i := slices.IndexFunc(p.plan.Harnesses, func(h materialize.Harness) bool { return h.File == path })
	if i < 0 {
		return ""
	}
	return p.plan.Harnesses[i].ID
}

func (p *patient) file(id string, x materialize.Change) {
	refresh := "lorimer materialize " + p.Root
	compiled, _ := filepath.Rel(p.Root, manifest.Path(p.Root))
	switch {
	case x.Backup() != "":
		p.add(id, Edited, Problem, fmt.Sprintf("%s was changed by somebody else since lorimer wrote it (`lorimer check %s` shows how)", x.Path, p.Root),
			"take the change out, or lorimer adopt "+x.Path)
	case x.Verb() == "remove":
		p.add(id, LeftOver, Problem, x.Path+" is lorimer's and is wanted no more", refresh)
	case x.Verb() == "create":
		p.add(id, Files, Problem, x.Path+" is missing", refresh)
	case x.Path == filepath.ToSlash(compiled):
		p.add(id, Files, Problem, "the hooks changed since they were compiled ("+p.changedSources()+")", refresh)
	case id == "" && len(x.New) < len(x.Old):
		p.add(id, LeftOver, Problem, x.Path+" holds what is lorimer's and wanted no more", refresh)
	default:
		p.add(id, Files, Problem, x.Path+" is of an older lorimer, or of other hooks or options", refresh)
	}
}

// changedSources names the files that the hooks were compiled from and that are not what they were.
func (p *patient) changedSources() string {
	if p.old {
		return "by a lorimer of another version"
	}
	var changed []string
	for _, s := range p.view.Sources() {
		path := filepath.FromSlash(s.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.Root, path)
		}
		if src, _ := plainfile.Settings(path); !s.Same(src) { // none: then that is the change
			changed = append(changed, s.Path)
		}
	}
	if len(changed) == 0 {
		return "by a lorimer of another version, or with other options"
	}
	return strings.Join(changed, ", ")
}

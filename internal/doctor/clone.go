package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gitexclude"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/off"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// ofClone looks at what all agents share.
func (p *patient) ofClone(from string) {
	p.dispatcher()
	p.trust()
	p.switches()
	p.directory(from)
	for _, id := range p.view.Harnesses() {
		if !slices.Contains(p.known(), id) {
			p.add("", LeftOver, Problem, fmt.Sprintf("the hooks were compiled for %s, too, which this lorimer does not know", id),
				"lorimer materialize "+p.Root)
		}
	}
}

func (p *patient) dispatcher() {
	path := p.Options.Dispatcher()
	switch differs, err := p.InstallDispatcher(p.Bundled, true); {
	case err != nil:
		p.add("", Dispatcher, Problem, err.Error(), "install lorimer anew")
	case !differs:
		p.add("", Dispatcher, OK, path, "")
	case exists(path):
		p.add("", Dispatcher, Problem, path+", which hooks start, is of another version of lorimer, or cannot be started", "lorimer materialize "+p.Root)
	default:
		p.add("", Dispatcher, Problem, path+", which hooks start, is missing", "lorimer materialize "+p.Root)
	}
}

func (p *patient) trust() {
	if err := trust.Check(p.Home, p.Root, p.compiled); err != nil {
		p.add("", Trust, Problem, err.Error(), "lorimer trust "+p.Root)
		return
	}
	p.add("", Trust, OK, "you agreed to these hooks", "")
}

// switches looks at what switches hooks off on purpose.
func (p *patient) switches() {
	if os.Getenv("LORIMER_DISABLE") == "1" {
		p.add("", Switch, Problem, "LORIMER_DISABLE is 1 here: an agent that is started from this shell runs no hook", "unset LORIMER_DISABLE")
	}
	for _, e := range off.Read(p.Home, p.Root, time.Now()) {
		do := "lorimer on"
		if e.Handler != "" {
			do += " " + e.Handler
		}
		p.add("", Switch, Problem, e.String(), do)
	}
}

// directory looks at which clone an agent would see that works in the directory that was named.
func (p *patient) directory(from string) {
	if from != p.Root {
		p.add("", Directory, Note, fmt.Sprintf("the hooks of an agent in %s are those of %s; agents look for a project's files where they are started, so start them there", from, p.Root), "")
	}
	for up := filepath.Dir(p.Root); up != filepath.Dir(up); up = filepath.Dir(up) {
		if exists(manifest.Path(up)) {
			p.add("", Directory, Note, fmt.Sprintf("%s, which this clone lies in, has hooks of its own, and an agent that works in both runs both", up), "lorimer clean "+up+", if that is not meant")
		}
	}
	named := map[string]bool{}
	for _, h := range p.Table {
		if h.Hooks == nil {
			continue
		}
		for _, name := range h.Hooks.ProjectEnv {
			dir := os.Getenv(name)
			if real, err := filepath.EvalSymlinks(dir); dir == "" || named[name] || err == nil && real == p.Root {
				continue
			}
			named[name] = true
			p.add("", Directory, Note, fmt.Sprintf("%s is %s here: what an agent hands on of it is for that project", name, dir), "unset "+name)
		}
	}
}

// noHooks is what is said where there is nothing to look at.
func (c *Command) noHooks(dir string) error {
	if repo, ok := gitexclude.Find(dir); ok {
		for _, other := range repo.Others() {
			if exists(manifest.Path(other)) {
				return fmt.Errorf("%s: no hooks of lorimer's are here; they are in %s, another checkout of the same repository, and do not come along: run `lorimer materialize %s`", dir, other, dir)
			}
		}
	}
	return fmt.Errorf("%s: no hooks of lorimer's are here; run `lorimer init` in your project", dir)
}

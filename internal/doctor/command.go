package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/clonedir"
	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/setup"
)

// Exit statuses that Run returns.
const (
	Healthy = 0 // no problem
	Ill     = 1 // there is one, or more
	Failed  = 2 // nothing could be looked at; the error says why
)

// Command is one command line.
type Command struct {
	materialize.Options
	Certified []*harness.Certified // how a harness is asked for its version
	Dir       string               // the clone, or a directory in it
	IDs       []string             // only these agents; empty = all that have hooks here, or are found
	Live      bool                 // run the installed agents, too
	JSON      bool
	Stdout    io.Writer

	Bundled  string            // the dispatcher that came with this lorimer
	Carriers []conform.Carrier // that run modules; nil = what is on PATH
	Handler  []string          // argv of a program that calls conform.Handle; for Live
}

// Run looks, and reports. It returns an exit status; an error goes with Failed.
func (c *Command) Run(ctx context.Context) (status int, err error) {
	if err := c.knownIDs(); err != nil {
		return Failed, err
	}
	r, err := c.look(ctx)
	if err != nil {
		return Failed, err
	}
	if c.JSON {
		enc := json.NewEncoder(c.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(r)
	} else {
		r.text(c.Stdout)
	}
	switch {
	case err != nil:
		return Failed, err
	case !r.Healthy:
		return Ill, nil
	}
	return Healthy, nil
}

func (c *Command) knownIDs() error {
	known := config.IDs(config.Usable(c.Table))
	for _, id := range c.IDs {
		if !slices.Contains(known, id) {
			return fmt.Errorf("unknown agent %q; expected one of %s; a clone is named with --clone", id, strings.Join(known, ", "))
		}
	}
	return nil
}

// patient is a clone that is being looked at.
type patient struct {
	*Command
	*Report
	compiled []byte // the manifest that stands there
	view     manifest.View
	plan     *materialize.Plan // what materialize would do if it were forced; nil = nothing can be told
	setup    *setup.Command
	seen     setup.Inspection
	old      bool // the manifest is of another protocol
}

// look gathers all findings. The error says why the clone cannot be looked at.
func (c *Command) look(ctx context.Context) (*Report, error) {
	root, from, err := c.clone()
	if err != nil {
		return nil, err
	}
	p := &patient{Command: c, Report: &Report{Root: root, Healthy: true, Findings: []Finding{}}}
	if p.compiled, err = plainfile.Settings(manifest.Path(root)); err != nil {
		return nil, err
	}
	if p.view, err = manifest.Parse(p.compiled); err != nil {
		p.old = true
		p.add("", LeftOver, Problem, manifest.Path(root)+": "+err.Error(), "lorimer materialize "+root)
	}
	p.prepare()
	p.ofClone(from)
	p.ofFiles()
	if p.seen, err = p.setup.Inspect(ctx, root, p.plan); err != nil {
		return nil, err
	}
	for _, line := range p.seen.Lacks {
		p.add("", Handlers, Problem, line, "")
	}
	return p.Report, p.ofAgents(ctx)
}

// prepare plans what materialize would do for the agents that the hooks were compiled for, and sets up what init is made of.
func (p *patient) prepare() {
	o := p.Options
	o.Force = true // what somebody edited is to be found, not refused
	o.Only = slices.DeleteFunc(slices.Clone(p.view.Harnesses()), func(id string) bool {
		return !slices.Contains(config.IDs(config.Usable(p.Table)), id)
	})
	plan, err := materialize.PlanMaterialize(p.Root, o)
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			p.add("", Files, Problem, strings.TrimSpace(line), "mend that, then lorimer materialize "+p.Root)
		}
	} else {
		p.plan = plan
	}
	p.setup = &setup.Command{Options: o, Certified: p.Certified, Carriers: p.Carriers, Bundled: p.Bundled}
}

// clone finds the clone: the directory, or the nearest above it that has a manifest, as hooks look for it.
func (c *Command) clone() (root, from string, err error) {
	if from, err = clonedir.Real(c.Dir); err != nil {
		return "", "", err
	}
	for root = from; ; root = filepath.Dir(root) {
		_, err := os.Stat(manifest.Path(root))
		if err == nil {
			return root, from, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", "", err
		}
		if root == filepath.Dir(root) || exists(filepath.Join(root, ".git")) {
			return "", "", c.noHooks(from)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

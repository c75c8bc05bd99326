package try

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/agree"
	"github.com/lorimer-dev/lorimer/internal/clonedir"
	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// source is where the handlers come from.
type source struct {
	root     string // of the clone, absolute, links resolved
	compiled bool   // made now, from what stands in the clone; false: the manifest that agents run
	manifest []byte
	view     manifest.View
	plan     *materialize.Plan // what materialize would do; nil = it cannot be said
	notes    []string          // what a person should know of it
	command  string            // that makes agents run it
}

// source finds the clone at or above the directory and the handlers that count in it.
func (c *Command) source() (s source, err error) {
	if os.Getenv("LORIMER_TRY") != "" {
		return s, errors.New("LORIMER_TRY is set, so this runs inside of a handler that is tried, which would have no end")
	}
	root, has, err := c.clone()
	if err != nil {
		return s, err
	}
	s = source{root: root, compiled: !has || c.Fresh || c.Config != "", command: "lorimer materialize " + root}
	o := c.Options
	o.Only = nil // they are picked from the clone's; to materialize the list would be all that the clone gets
	plan, planErr := materialize.PlanMaterialize(root, o)
	if s.compiled && !serves(plan, c.Only) {
		o.Only, s.command = c.Only, "lorimer materialize --harness "+strings.Join(c.Only, ",")+" "+root
		plan, planErr = materialize.PlanMaterialize(root, o)
	}
	s.plan = plan
	switch {
	case !s.compiled:
		s.manifest, err = plainfile.Settings(manifest.Path(root))
	case plan == nil:
		return s, planErr
	default:
		s.manifest = plan.Manifest()
	}
	if err == nil {
		s.view, err = manifest.Parse(s.manifest)
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w; run `lorimer materialize %s`", manifest.Path(root), err, root)
	}
	s.note(planErr)
	return s, nil
}

// serves says whether the plan is for all of these agents.
func serves(p *materialize.Plan, ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		return p == nil || !slices.ContainsFunc(p.Harnesses, func(h materialize.Harness) bool { return h.ID == id })
	})
}

// note says what stands between this answer and what agents do now.
func (s *source) note(planErr error) {
	switch {
	case s.compiled && planErr != nil:
		s.notes = append(s.notes, "`lorimer materialize` would refuse: "+planErr.Error())
	case s.compiled:
		s.notes = append(s.notes, fmt.Sprintf("no agent runs this yet: it is what would hold after `%s`", s.command))
	case s.plan != nil && string(s.plan.Manifest()) != string(s.manifest):
		s.notes = append(s.notes, fmt.Sprintf("what was tried is what agents run now; the files say something else, for `%s` to compile and --fresh to try", s.command))
	}
	if os.Getenv("LORIMER_DISABLE") == "1" {
		s.notes = append(s.notes, "LORIMER_DISABLE is 1 here: an agent that is started from this shell runs no hook")
	}
}

// clone returns the nearest directory that has a manifest, from --clone upwards, or --clone itself when it has hooks that
// nobody compiled, or nothing at all.
func (c *Command) clone() (root string, has bool, err error) {
	dir, err := clonedir.Real(c.Dir)
	if err != nil {
		return "", false, err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if exists(manifest.Path(at)) {
			return at, true, nil
		}
		if at == dir && c.hasSource(dir) || at == filepath.Dir(at) {
			return dir, false, nil
		}
	}
}

func (c *Command) hasSource(dir string) bool {
	return slices.ContainsFunc(append(config.NativeFiles(c.Table), config.FileName), func(f string) bool {
		return exists(filepath.Join(dir, filepath.FromSlash(f)))
	})
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// agreed says whether the handlers of the event may be run: the user agreed to them before, or does now, for this once.
func (c *Command) agreed(s source, e event) (bool, error) {
	err := trust.Check(c.Home, s.root, s.manifest)
	if err == nil || c.DryRun || os.Getenv("LORIMER_TRUST") == "1" {
		return true, nil
	}
	if !s.compiled {
		fmt.Fprintf(c.Stderr, "nothing was run: %v\n", err)
		return false, nil
	}
	all, err := agree.Compare(trust.Agreed(c.Home, s.root), s.manifest)
	if err != nil {
		return false, err
	}
	fresh := slices.DeleteFunc(all, func(d agree.Difference) bool {
		env := d.Setting != nil && d.Setting.Name == "env" // what the commands of handlers come to
		return !env && (d.Now == nil || d.Now.Event != string(e.name))
	})
	if len(fresh) == 0 || c.Yes {
		return true, nil
	}
	return c.ask(s, fresh), nil
}

// ask shows what would be run and was not agreed to. The answer holds for this once: nothing is recorded.
func (c *Command) ask(s source, fresh []agree.Difference) bool {
	fmt.Fprintf(c.Stderr, "%s: these handlers are not what you agreed to on this machine:\n", s.root)
	for _, d := range fresh {
		for _, line := range d.Lines() {
			fmt.Fprintf(c.Stderr, "  %s\n", line)
		}
	}
	if !c.Terminal {
		fmt.Fprintln(c.Stderr, "nothing was run: this is no terminal, so nobody can be asked; look at them and give --yes to run them this once, or --dry-run")
		return false
	}
	fmt.Fprint(c.Stderr, "Ask them now, this once? [y/N] ")
	line, _ := bufio.NewReader(c.Stdin).ReadString('\n') // no answer is a no
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line)))
}

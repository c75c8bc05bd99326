package setup

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/materialize/fleet"
)

// dispatcher brings the dispatcher to where hooks look for it, or with dry says whether it is not there.
func (c *Command) dispatcher(dry bool) (changes bool, err error) {
	if c.Bundled == "" {
		if c.Bundled, err = materialize.BundledDispatcher(); err != nil {
			return false, err
		}
	}
	return c.InstallDispatcher(c.Bundled, dry)
}

// canWrite tries the clone before anybody is asked.
func (c *Command) canWrite(s *survey) error {
	clone, err := clonefs.Open(s.Root)
	if err != nil {
		return err
	}
	defer clone.Close()
	clone.Hook = c.Hook
	trial, err := clone.Stage("lorimer-init", nil, clonefs.Options{Mode: 0o600})
	if err == nil {
		err = trial.Discard()
	}
	if err != nil {
		return fmt.Errorf("nothing was written, because %s cannot be written to: %w; look at its owner and mode, and whether the disk is mounted read-only", s.Root, err)
	}
	return nil
}

// write does what was shown and agreed to, with what `lorimer materialize` is made of.
func (c *Command) write(s *survey) error {
	if err := c.unchanged(s); err != nil {
		return err
	}
	if err := c.writeReady(s); err != nil {
		return fmt.Errorf("%s: the ready hooks are not all written: %w", s.Root, err)
	}
	if c.onlyNative(s) {
		return nil
	}
	var said strings.Builder
	work := fleet.Command{Options: c.Options, Mode: fleet.Materialize, Clones: []string{s.Root}, Dispatcher: c.Bundled, Stdout: c.Stdout, Stderr: &said}
	if c.JSON {
		work.Stdout = io.Discard
	}
	status, err := work.Run()
	if err == nil && status != fleet.Done {
		err = errors.New(strings.TrimSpace(said.String()))
	}
	if err != nil {
		return err
	}
	s.plan, err = materialize.PlanMaterialize(s.Root, c.Options)
	return err
}

// unchanged fails when what would be agreed to is not what was shown: somebody saved a file while the question was open.
func (c *Command) unchanged(s *survey) error {
	if s.plan == nil {
		return nil
	}
	now, err := materialize.PlanMaterialize(s.Root, c.Options)
	if err == nil && string(now.Manifest()) != string(s.plan.Manifest()) {
		err = fmt.Errorf("nothing was written: the hooks of %s were changed by someone a moment ago; run `lorimer init` again, and look at what they are now", s.Root)
	}
	return err
}

func projectFile(h *harness.Harness) string {
	switch {
	case h.Shim != nil:
		return h.Shim.Project
	case h.Hooks.Local != "":
		return h.Hooks.Local
	}
	return h.Hooks.Shared
}

func userFile(h *harness.Harness) string {
	if h.Shim != nil {
		return h.Shim.User
	}
	return h.Hooks.User
}

// place is where a file of a plan lies on the disk.
func (c *Command) place(root, file string) string {
	if rest, own := strings.CutPrefix(file, "~/"); own {
		return filepath.Join(c.userHome(), filepath.FromSlash(rest))
	}
	return filepath.Join(root, filepath.FromSlash(file))
}

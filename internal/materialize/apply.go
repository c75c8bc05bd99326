package materialize

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/off"
	"github.com/lorimer-dev/lorimer/internal/owned"
	"github.com/lorimer-dev/lorimer/internal/receipt"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// apply carries the plan out. Until the first file is renamed into its place, a failure leaves the clone as it was; after
// that the record says what was begun, and the next run ends it.
func (p *Plan) apply(clone *clonefs.FS) error {
	if err := errors.Join(p.byPerson(), p.sameAs()); err != nil {
		return err
	}
	if p.cleanHere() {
		return p.settleTrust()
	}
	run := &applying{Plan: p, clone: clone}
	if err := run.prepare(); err != nil {
		run.rollBack()
		return fmt.Errorf("%s: nothing was changed: %w%s", p.Root, err, advice(err))
	}
	if err := run.commit(); err != nil {
		return fmt.Errorf("%s: only a part was written, each file whole; run the same command again to end it: %w%s",
			p.Root, err, advice(err))
	}
	return nil
}

// advice says what to do about an error of the file system, where that is known.
func advice(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "; expected a clone that can be written: look at the owner and mode of that path, and whether the disk is mounted read-only"
	case errors.Is(err, syscall.ENOSPC):
		return "; make room on the disk"
	}
	return ""
}

// applying is a plan at work.
type applying struct {
	*Plan
	clone  *clonefs.FS
	staged []*clonefs.Staged
	made   []string // directories and copies that were made
}

// prepare does everything that can fail for lack of room or rights: it announces the run in the record, makes directories
// and copies, and writes each file beside its place.
func (a *applying) prepare() error {
	for _, path := range a.stale {
		if err := a.clone.Remove(path); err != nil {
			return err
		}
	}
	if err := a.mkdir(dir); err != nil {
		return err
	}
	if err := a.announce(); err != nil {
		return err
	}
	for _, d := range a.makeDirs {
		if err := a.mkdir(d); err != nil {
			return err
		}
	}
	for _, c := range a.Changes {
		if err := a.stage(c); err != nil {
			return err
		}
	}
	a.clone.Look()
	defer a.clone.Act()
	for _, c := range a.Changes {
		if err := a.unchanged(c); err != nil {
			return err
		}
	}
	return nil
}

func (a *applying) mkdir(d string) error {
	if a.clone.IsDir(d) {
		return nil
	}
	if err := a.clone.Mkdir(d); err != nil {
		return err
	}
	a.made = append(a.made, d)
	return nil
}

// announce writes into the record what the run is about to leave, beside what holds now.
func (a *applying) announce() error {
	r := a.record
	r.Next = &a.next
	return a.clone.Replace(owned.Path, r.Encode(), clonefs.Options{Mode: 0o644, Keep: clonefs.Durable})
}

// stage keeps a copy of what is overridden and writes the new file beside the old one.
func (a *applying) stage(c Change) error {
	if c.backup != "" {
		if err := a.clone.Replace(c.backup, c.Old, clonefs.Options{Mode: c.mode, Keep: clonefs.Durable}); err != nil {
			return err
		}
		a.made = append(a.made, c.backup)
	}
	if c.New == nil {
		a.staged = append(a.staged, nil)
		return nil
	}
	s, err := a.clone.Stage(c.real, c.New, clonefs.Options{Mode: c.mode, Keep: c.keep})
	if err == nil {
		a.staged = append(a.staged, s)
	}
	return err
}

// rollBack undoes prepare as far as it came. What cannot be undone either is found by the next run.
func (a *applying) rollBack() {
	a.discard(0)
	if a.before == nil {
		_ = a.clone.Remove(owned.Path)
	} else {
		_ = a.clone.Replace(owned.Path, a.before, clonefs.Options{Keep: clonefs.Durable})
	}
	for _, path := range slices.Backward(a.made) {
		_ = a.clone.Remove(path)
	}
}

// commit puts the files into their places, the manifest last, and then says in the record that it is done.
func (a *applying) commit() error {
	for i, c := range a.Changes {
		if err := a.put(c, a.staged[i]); err != nil {
			a.discard(i)
			return err
		}
	}
	for _, d := range a.dropDirs {
		if err := a.removeEmpty(d); err != nil {
			return err
		}
	}
	if err := a.settleTrust(); err != nil {
		return err
	}
	if a.after != nil {
		return a.clone.Replace(owned.Path, a.after, clonefs.Options{Mode: 0o644, Keep: clonefs.Entire}) // the announced one would do
	}
	if err := a.clone.Remove(owned.Path); err != nil {
		return err
	}
	return a.removeEmpty(dir)
}

// put makes one change, when the file still is what the plan was made from.
func (a *applying) put(c Change, s *clonefs.Staged) error {
	if err := a.unchanged(c); err != nil {
		return err
	}
	if s == nil {
		return a.clone.Remove(c.real)
	}
	return s.Commit()
}

// unchanged fails when the file is not what the plan was made from: an editor saved it in the meantime.
func (a *applying) unchanged(c Change) error {
	now, _, err := a.clone.Read(c.real)
	if err == nil && (!bytes.Equal(now, c.Old) || (now == nil) != (c.Old == nil)) {
		err = fmt.Errorf("%s was changed by someone else a moment ago and was left alone; run the command again", c.Path)
	}
	return err
}

// discard takes away the files that are not in their place yet, from the n-th on.
func (a *applying) discard(n int) {
	for _, s := range a.staged[n:] {
		if s != nil {
			_ = s.Discard()
		}
	}
}

func (a *applying) removeEmpty(d string) error {
	if !a.clone.Empty(d) {
		return nil // someone else's files are in it now
	}
	return a.clone.Remove(d)
}

// settleTrust records that the user agreed to the manifest, or forgets all that is kept of a clone that has none any more: what
// was agreed to, what is switched off, and the receipts.
func (p *Plan) settleTrust() error {
	home := p.options.Home
	switch {
	case p.options.user: // it has no manifest of its own
	case p.manifest == nil:
		return errors.Join(trust.Forget(home, p.Root), off.Forget(home, p.Root), receipt.Forget(home, p.Root))
	case p.Untrusted:
		return trust.Record(home, p.Root, p.manifest)
	}
	return nil
}

package materialize

import (
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
)

// PlanMaterialize says what Materialize would do. It changes nothing and takes no lock. The error joins everything that
// stands in the way; the plan is nil when the clone or its configuration cannot be read.
func PlanMaterialize(dir string, o Options) (*Plan, error) { return o.look(dir, o.planWanted) }

// PlanClean says what Clean would do.
func PlanClean(dir string, o Options) (*Plan, error) { return o.look(dir, o.planClean) }

// Materialize brings the clone up to date and returns what it did.
func Materialize(dir string, o Options) (*Plan, error) {
	o.writing = true
	return o.do(dir, o.planWanted)
}

// Clean takes out everything that is ours and returns what it did.
func Clean(dir string, o Options) (*Plan, error) { return o.do(dir, o.planClean) }

func (o Options) planClean(clone *clonefs.FS) (*Plan, error) { return o.plan(clone, want{}) }

func (o Options) planWanted(clone *clonefs.FS) (*Plan, error) {
	w, err := o.wanted(clone)
	if err != nil {
		return nil, err
	}
	return o.plan(clone, w)
}

// look plans without a lock.
func (o Options) look(dir string, plan func(*clonefs.FS) (*Plan, error)) (*Plan, error) {
	return withClone(dir, o, func(clone *clonefs.FS) (*Plan, error) {
		clone.Look()
		return plan(clone)
	})
}

// do plans and applies under the clone's lock.
func (o Options) do(dir string, plan func(*clonefs.FS) (*Plan, error)) (*Plan, error) {
	return withClone(dir, o, func(clone *clonefs.FS) (*Plan, error) {
		unlock, err := o.lock(clone.Dir)
		if err != nil {
			return nil, err
		}
		defer unlock()
		clone.Look()
		p, err := plan(clone)
		if err != nil {
			return p, err
		}
		clone.Act() // what was seen may have changed since
		if err := p.apply(clone); err != nil {
			return p, err
		}
		p.applyExclude()
		return p, p.applyUser()
	})
}

func withClone(dir string, o Options, f func(*clonefs.FS) (*Plan, error)) (*Plan, error) {
	clone, err := clonefs.Open(dir)
	if err != nil {
		return nil, err
	}
	defer clone.Close()
	clone.Hook = o.Hook
	return f(clone)
}

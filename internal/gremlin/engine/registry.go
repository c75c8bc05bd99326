package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/store"
)

// lockWait is how long a command waits for another one's change.
const lockWait = 20 * time.Second

// read is the registry as it is now. It is whole without a lock: the file is replaced, never written over.
func (r *run) read() (*record.Registry, error) {
	reg := &record.Registry{}
	if err := store.ReadJSON(r.file("registry.json"), reg); err != nil {
		return nil, err
	}
	if reg.Schema != record.Schema {
		return nil, refuse("%s has schema %d; this build reads %d", r.file("registry.json"), reg.Schema, record.Schema)
	}
	return reg, nil
}

// change lets f change the registry; an error of f changes nothing, and is returned.
func (r *run) change(f func(*record.Registry) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	lock, err := r.dir.Lock(ctx, r.file("registry.lock"))
	if err != nil {
		return err
	}
	defer lock.Release()
	reg, err := r.read()
	if err != nil {
		return err
	}
	if err := f(reg); err != nil {
		return err
	}
	return r.dir.WriteJSON(r.file("registry.json"), reg)
}

// changeJob is change for one job.
func (r *run) changeJob(id string, f func(*record.Registry, *record.Job) error) error {
	return r.change(func(reg *record.Registry) error {
		j := reg.Jobs[id]
		if j == nil {
			return fmt.Errorf("no job %s in %s", id, r.file("registry.json"))
		}
		return f(reg, j)
	})
}

// called notes an orchestrator's call, which keeps its gremlins alive. A gremlin's own calls do not.
func (r *run) called() error {
	if r.e.getenv(ChildMarker) != "" {
		return nil
	}
	return r.change(func(reg *record.Registry) error {
		reg.Orchestrator = r.e.now()
		return nil
	})
}

// newJob adds a running job.
func (r *run) newJob(reg *record.Registry, kind string) *record.Job {
	j := &record.Job{
		Job: fmt.Sprintf("j%d", reg.Next), Kind: kind, Status: record.Running, Created: r.e.now(),
		Paths: []string{}, Flags: []string{}, Known: []record.Process{}, Survivors: []record.Process{},
	}
	reg.Next++
	reg.Jobs[j.Job] = j
	if kind != record.Ping { // which is no sign that somebody still wants the run
		reg.Orchestrator = j.Created
	}
	return j
}

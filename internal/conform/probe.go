package conform

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Target is what stands in somebody's clone, or in their own files, for one harness.
type Target struct {
	Clone   string   // where the host works
	File    string   // path of the shim, or of the hook config
	Home    string   // Lorimer's state home, which the file names the dispatcher of
	Env     []string // the host's whole environment
	Session string   // begins the ids of the sessions in which events are fired
}

// Shot is what came of one event.
type Shot struct {
	Event   harness.Event
	Reasons []string // with which the host was held up, as its model would read them
	Report  []string // loud lines
	Err     error    // why it could not be fired
}

// Fire imitates the host over artifacts that materialize wrote elsewhere, and fires the events in the order of a session, each
// once. c.Handler is not used: what handlers do is the business of the clone, and of the environment. The error says why
// nothing could be fired.
func Fire(ctx context.Context, c Config, t Target, events []harness.Event) ([]Shot, error) {
	s, err := c.subject()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "lc")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	w := &world{subject: s, ctx: ctx, place: s.places()[0], dir: dir, active: map[string]bool{}, clone: t.Clone, state: t.Home, prefix: t.Session}
	if err := w.aim(t); err != nil {
		return nil, err
	}
	var shots []Shot
	for _, e := range harness.Events {
		if slices.Contains(events, e) {
			shots = append(shots, w.shoot(e))
		} else {
			w.lead(e)
		}
		if e == harness.UserPromptSubmit {
			w.lead("request")
		}
	}
	_, err = w.stage.close()
	return shots, err
}

// aim puts the host on its stage, with the artifacts of the target.
func (w *world) aim(t Target) error {
	if w.row.Kind != harness.Generative {
		stage := newCommand(w, t.Env)
		stage.config = t.File
		w.stage = stage
		return nil
	}
	imitation, err := fs.ReadFile(w.Golden, harness.FakeModule(w.ID))
	if err != nil {
		return err
	}
	// Relative to what is linked: modules are told by where they really lie.
	shim, err := filepath.EvalSymlinks(t.File)
	if err != nil {
		return err
	}
	m, err := startModule(w.ctx, w.place, w.dir, w.clone, shim, imitation, t.Env)
	if err != nil {
		if m != nil {
			_, end := m.close()
			err = errors.Join(err, end)
		}
		return fmt.Errorf("%s does not load: %w", t.File, err)
	}
	w.stage = m
	return nil
}

// shoot fires one event.
func (w *world) shoot(e harness.Event) Shot {
	if len(w.fake.Plays[string(e)]) == 0 {
		return Shot{Event: e, Err: fmt.Errorf("the imitation of %s does not play %s", w.row.Name, e)}
	}
	saw, err := w.fire(string(e), w.actOf(e, act{}))
	return Shot{Event: e, Reasons: saw.reasons(), Report: saw.Report, Err: err}
}

// lead plays what comes first in every session although nobody hooks it: a host that saw no prompt has no stop to hold up. What
// goes wrong with it shows in what is fired after it.
func (w *world) lead(play harness.Event) {
	first := []harness.Event{harness.SessionStart, harness.UserPromptSubmit, "request"}
	if slices.Contains(first, play) && len(w.fake.Plays[string(play)]) > 0 {
		_, _ = w.fire(string(play), act{})
	}
}

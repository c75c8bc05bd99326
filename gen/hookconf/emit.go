// Package hookconf emits the native hook configs of external harnesses: <id>/hooks.json, with one entry for each event.
//
// The files are what ships. Materialize takes from them the entries of the events that some handler wants, puts the
// dispatcher and the clone's root in for {dispatcher} and {root}, and splices them into the user's own config.
// <id>/hooks.fail-closed.json holds the entries of events that must block when the dispatcher cannot answer.
package hookconf

import (
	"errors"
	"fmt"

	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Emit returns the two configs of each external harness.
func Emit(p *plan.Plan) ([]output.File, error) {
	var files []output.File
	var faults []error
	for _, h := range p.Harnesses {
		if h.Kind != harness.External {
			continue
		}
		for _, closed := range []bool{false, true} {
			config, err := render(h, closed)
			faults = append(faults, err)
			files = append(files, output.File{Path: Artifact(h.ID.Text, closed), Data: []byte(config)})
		}
	}
	return files, errors.Join(faults...)
}

// Artifact is the path of a harness's config below the output folder.
func Artifact(id string, failClosed bool) string {
	if failClosed {
		return id + "/hooks.fail-closed.json"
	}
	return id + "/hooks.json"
}

// render builds the whole config: the keys that a fresh file needs, then one group for each of the host's events at its place.
func render(h *plan.Harness, failClosed bool) (string, error) {
	file := object()
	file.Object = append(file.Object, h.Hooks.Root.Object...)
	for _, s := range h.Slots {
		tokens := tokensOf(h, s, failClosed)
		group := tokens.expand(groupOf(h, s))
		if err := checkVoids(h, s, group); err != nil {
			return "", err
		}
		file = appendAt(file, path(h, s), group)
	}
	return plan.JSON(file, "  ") + "\n", nil
}

// groupOf is what is appended for an event.
func groupOf(h *plan.Harness, s plan.Slot) tree {
	if own := s.Rows[0].Group; own.Set() {
		return own
	}
	return h.Hooks.Group
}

// checkVoids refuses what makes the host drop the whole file.
func checkVoids(h *plan.Harness, s plan.Slot, group tree) error {
	for _, v := range h.Hooks.Voids {
		values := valuesOf(group, v.Key.Text)
		if v.Key.Text == hostEvent {
			values = []string{s.Host}
		}
		for _, text := range values {
			if holds(v, text) {
				return fmt.Errorf("%s:%d:%d: the %s entry has %s %q, which makes %s drop its whole hook config",
					h.File, v.Pos.Line, v.Pos.Col, s.Host, v.Key.Text, text, h.Name.Text)
			}
		}
	}
	return nil
}

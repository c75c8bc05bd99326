// Package hookconf emits the native hook configs of external harnesses: <id>/hooks.json, with one entry for each event.
//
// The files are what ships. Materialize takes from them the entries of the events that some handler wants, puts the
// dispatcher and the clone's root in for {dispatcher} and {root}, and splices them into the user's own config.
// <id>/hooks.fail-closed.json holds the entries of events that must block when the dispatcher cannot answer.
package hookconf

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
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

// render builds the whole config: the keys that a fresh file needs, then one group for each event at its place.
func render(h *plan.Harness, failClosed bool) (string, error) {
	file := object()
	file.Object = append(file.Object, h.Hooks.Root.Object...)
	for _, b := range h.Bindings {
		tokens := tokensOf(h, b, failClosed)
		group := tokens.expand(groupOf(h, b))
		if err := checkVoids(h, b, group); err != nil {
			return "", err
		}
		file = appendAt(file, path(h, b), group)
	}
	return plan.JSON(file, "  ") + "\n", nil
}

// groupOf is what is appended for an event.
func groupOf(h *plan.Harness, b harness.Binding) tree {
	if own := rowOf(h, b).Group; own.Set() {
		return own
	}
	return h.Hooks.Group
}

// rowOf is the event's first row, whose host event the binding has.
func rowOf(h *plan.Harness, b harness.Binding) descriptor.ExternalRow {
	i := slices.IndexFunc(h.Events.External, func(r descriptor.ExternalRow) bool { return r.Event.Text == string(b.Event) })
	return h.Events.External[i]
}

// checkVoids refuses what makes the host drop the whole file.
func checkVoids(h *plan.Harness, b harness.Binding, group tree) error {
	for _, v := range h.Hooks.Voids {
		values := valuesOf(group, v.Key.Text)
		if v.Key.Text == hostEvent {
			values = []string{b.Host}
		}
		for _, text := range values {
			if holds(v, text) {
				return fmt.Errorf("%s:%d:%d: the %s entry has %s %q, which makes %s drop its whole hook config",
					h.File, v.Pos.Line, v.Pos.Col, b.Host, v.Key.Text, text, h.Name.Text)
			}
		}
	}
	return nil
}

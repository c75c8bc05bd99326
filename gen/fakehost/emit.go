// Package fakehost emits the imitation of a host that conform plays: <id>/fake.json, which is data, and for a host that loads
// modules <id>/fake.mjs, which is code. Both come from a descriptor's fake section; a harness without one has neither.
package fakehost

import (
	"encoding/json"
	"fmt"

	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Emit returns the files of every harness that can be imitated.
func Emit(p *plan.Plan) (files []output.File, err error) {
	for _, h := range p.Harnesses {
		if h.Fake == nil {
			continue
		}
		data, err := json.MarshalIndent(imitation(h), "", "  ")
		if err != nil {
			return nil, fmt.Errorf("fake of %s: %w", h.ID.Text, err)
		}
		files = append(files, output.File{Path: harness.FakeData(h.ID.Text), Data: append(data, '\n')})
		if h.Kind == harness.Generative {
			files = append(files, output.File{Path: harness.FakeModule(h.ID.Text), Data: []byte(module(h))})
		}
	}
	return files, nil
}

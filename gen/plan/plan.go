// Package plan is the checked model that all emitters read: descriptors with defaults resolved, rows grouped by the handler
// that they become, and what the rows of one file say of each other checked.
//
// It knows nothing of any emitter. A descriptor's text is judged in gen/descriptor; here only what needs more than one row
// or more than one file.
package plan

import (
	"strings"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Plan is everything there is to emit.
type Plan struct {
	Harnesses []*Harness         // in the order of their ids
	Runtimes  []*harness.Runtime // the HAL's rows, in the order in which they are asked
}

// Harness is one harness, ready to be emitted.
type Harness struct {
	*descriptor.Descriptor
	Kind     harness.Kind
	GoName   string            // the id as an exported Go name: oh-my-pi is OhMyPi
	Bindings []harness.Binding // one for each neutral event that it has, in the order of harness.Events
	Slots    []Slot            // external: the host's events, each once
	Handlers []Handler         // generative: what is registered at the host, in the file's order
}

// Handler is one function registered at a generative host, with the rows that make its body.
type Handler struct {
	Host    string // the host's event
	Via     string // name of the channel
	Channel descriptor.Channel
	Rows    []descriptor.GenerativeRow
	Wanted  []string // neutral events for which it is registered
	Always  bool     // it is registered whether or not one of them is wanted
}

// Build resolves and cross-checks the descriptors. The error is a strictyaml.Faults with every fault of all of them.
func Build(descriptors []*descriptor.Descriptor) (*Plan, error) {
	p, faults := &Plan{}, strictyaml.Faults(nil)
	for _, d := range descriptors {
		h := &Harness{Descriptor: d, Kind: kind(d), GoName: goName(d.ID.Text)}
		h.Slots = slots(d)
		h.Bindings = bindings(h)
		h.Handlers = handlers(d)
		faults = append(faults, check(h)...)
		p.Harnesses = append(p.Harnesses, h)
	}
	faults = append(faults, checkNames(p)...)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	p.Runtimes = runtimes(p.Harnesses)
	return p, nil
}

// About is how the harness is named in prose: its name, and where it lives.
func (h *Harness) About() string {
	if !h.Homepage.Set() {
		return h.Name.Text
	}
	return h.Name.Text + " (" + h.Homepage.Text + ")"
}

func kind(d *descriptor.Descriptor) harness.Kind {
	switch {
	case d.Shim != nil:
		return harness.Generative
	case d.Hooks != nil:
		return harness.External
	}
	return harness.Bare
}

func goName(id string) string {
	var b strings.Builder
	for _, word := range strings.Split(id, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

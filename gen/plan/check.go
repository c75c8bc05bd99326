package plan

import (
	"fmt"
	"slices"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// check finds what the rows of one descriptor say against each other.
func check(h *Harness) (out strictyaml.Faults) {
	out = append(out, checkSlots(h.Descriptor)...)
	out = append(out, checkAfter(h)...)
	out = append(out, checkBrings(h)...)
	out = append(out, checkSlotsApart(h)...)
	out = append(out, checkAlike(h)...)
	return append(out, checkAmbiguous(h.Descriptor)...)
}

// checkSlots: context that is held must be delivered, and only what is held can be.
func checkSlots(d *descriptor.Descriptor) (out strictyaml.Faults) {
	held, delivered := map[string]descriptor.Pos{}, map[string]descriptor.Pos{}
	keyed := map[string]bool{}
	for _, r := range d.Events.Generative {
		if r.Context != nil && r.Context.Hold.Set() {
			held[r.Context.Hold.Text] = r.Context.Hold.Pos
			keyed[r.Context.Hold.Text] = r.Context.Key.Set()
		}
		if r.Deliver != nil {
			delivered[r.Deliver.Slot.Text] = r.Deliver.Slot.Pos
		}
	}
	for _, r := range d.Events.Generative {
		if x := r.Deliver; x != nil && !held[x.Slot.Text].IsZero() && keyed[x.Slot.Text] != x.Key.Set() {
			out = append(out, fault(d, x.Slot.Pos, "context is held in slot %q with a key on one side alone, so it is never found", x.Slot.Text))
		}
	}
	for slot, pos := range held {
		if _, ok := delivered[slot]; !ok {
			out = append(out, fault(d, pos, "context is held in slot %q, but no row delivers it", slot))
		}
	}
	for slot, pos := range delivered {
		if _, ok := held[slot]; !ok {
			out = append(out, fault(d, pos, "slot %q is delivered, but no row holds context in it", slot))
		}
	}
	return out
}

// checkAfter: a row can only wait for an event that some row dispatches.
func checkAfter(h *Harness) (out strictyaml.Faults) {
	known := map[string]bool{}
	for _, b := range h.Bindings {
		known[string(b.Event)] = true
	}
	for _, r := range h.Events.Generative {
		if r.After.Set() && !known[r.After.Text] {
			out = append(out, fault(h.Descriptor, r.After.Pos, "after waits for %s, which no row dispatches", r.After.Text))
		}
	}
	return out
}

// checkBrings: a row can only bring events that some row dispatches.
func checkBrings(h *Harness) (out strictyaml.Faults) {
	for _, r := range h.Events.External {
		for _, e := range r.Brings {
			if !slices.ContainsFunc(h.Bindings, func(b harness.Binding) bool { return b.Event == e.Event() }) {
				out = append(out, fault(h.Descriptor, e.Pos, "%s brings %s, which no row dispatches", r.Event.Text, e.Text))
			}
		}
	}
	return out
}

// checkAmbiguous: of two external rows with one host event, the first without a condition hides what follows.
func checkAmbiguous(d *descriptor.Descriptor) (out strictyaml.Faults) {
	open := map[string]bool{}
	for _, r := range d.Events.External {
		if open[r.Host.Text] {
			out = append(out, fault(d, r.Host.Pos, "an earlier row takes every %s, so this one is never reached; give the earlier one a `where`", r.Host.Text))
		}
		open[r.Host.Text] = open[r.Host.Text] || len(r.Where) == 0
	}
	return out
}

// checkNames: ids that differ only in hyphens would share a Go name.
func checkNames(p *Plan) (out strictyaml.Faults) {
	seen := map[string]string{}
	for _, h := range p.Harnesses {
		if other, taken := seen[h.GoName]; taken {
			out = append(out, fault(h.Descriptor, h.ID.Pos, "id %q and id %q give one Go name, %s", h.ID.Text, other, h.GoName))
		}
		seen[h.GoName] = h.ID.Text
	}
	return out
}

func fault(d *descriptor.Descriptor, pos descriptor.Pos, format string, args ...any) strictyaml.Fault {
	return strictyaml.At(d.File, pos, "%s", fmt.Sprintf(format, args...))
}

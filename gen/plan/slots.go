package plan

import (
	"reflect"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Slot is an event of an external host, which its hook config names once. The entry there names one neutral event; which one it
// is a payload of, where the rows know several, is told by their conditions.
type Slot struct {
	Host  string
	Event harness.Event            // that its entry names: the first that it may be, in the order of a session
	Rows  []descriptor.ExternalRow // in the file's order; the first whose conditions hold is meant
}

// slots are the host's events in the order of the neutral ones.
func slots(d *descriptor.Descriptor) (out []Slot) {
	for _, event := range harness.Events {
		for _, r := range d.Events.External {
			if r.Event.Text != string(event) || slices.ContainsFunc(out, func(s Slot) bool { return s.Host == r.Host.Text }) {
				continue
			}
			out = append(out, Slot{Host: r.Host.Text, Event: event, Rows: rowsOf(d, r.Host.Text)})
		}
	}
	return out
}

func rowsOf(d *descriptor.Descriptor, host string) (rows []descriptor.ExternalRow) {
	for _, r := range d.Events.External {
		if r.Host.Text == host {
			rows = append(rows, r)
		}
	}
	return rows
}

// SlotsOf are the host's events whose entries name the event.
func (h *Harness) SlotsOf(event harness.Event) (out []Slot) {
	for _, s := range h.Slots {
		if s.Event == event {
			out = append(out, s)
		}
	}
	return out
}

// turns are the other events that a start for the event may turn out to be.
func turns(h *Harness, event harness.Event) (out []harness.Event) {
	for _, s := range h.SlotsOf(event) {
		for _, r := range s.Rows {
			if e := r.Event.Event(); e != event && !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// checkSlotsApart: entries that name one event are not told apart, so what one of them may be, all may be.
func checkSlotsApart(h *Harness) (out strictyaml.Faults) {
	for _, b := range h.Bindings {
		if all := h.SlotsOf(b.Event); len(all) < 2 || len(b.Turns) == 0 {
			continue
		}
		for _, r := range h.Events.External {
			if slices.Contains(b.Turns, r.Event.Event()) && slices.ContainsFunc(h.SlotsOf(b.Event), func(s Slot) bool { return s.Host == r.Host.Text }) {
				out = append(out, fault(h.Descriptor, r.Pos, "%s may be %s, and other events of the host are %s, too: what starts the dispatcher does not say which it was", r.Host.Text, r.Event.Text, b.Event))
			}
		}
	}
	return out
}

// checkAlike: the payload of an event is read, and its answer said, in one way, whichever row it came by.
func checkAlike(h *Harness) (out strictyaml.Faults) {
	for i, r := range h.Events.External {
		at := slices.IndexFunc(h.Events.External[:i], func(x descriptor.ExternalRow) bool { return x.Event.Text == r.Event.Text })
		if at < 0 {
			continue
		}
		if key := differs(h.Events.External[at], r); key != "" {
			out = append(out, fault(h.Descriptor, r.Pos, "%s has another `%s` here than in the first row of %s; all rows of an event are read and answered alike", r.Host.Text, key, r.Event.Text))
		}
	}
	return out
}

// ownOfRow are the fields in which rows of an event may differ: what says which row it is, what its hook config holds, and what is
// put together of all of them.
var ownOfRow = map[string]bool{
	"Pos": true, "Comment": true, "Host": true, "Event": true, "Where": true,
	"Group": true, "Entry": true,
	"Cannot": true, "Partly": true, "Brings": true,
}

// differs is the key in which two rows of an event say different things of it. A new field is one of these until ownOfRow has it.
func differs(a, b descriptor.ExternalRow) string {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		field := x.Type().Field(i)
		if !ownOfRow[field.Name] && !same(x.Field(i), y.Field(i)) {
			key, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
			return key
		}
	}
	return ""
}

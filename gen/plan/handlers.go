package plan

import (
	"slices"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
)

// handlers groups rows of one host event on one channel: they share one registered function.
func handlers(d *descriptor.Descriptor) (out []Handler) {
	for _, r := range d.Events.Generative {
		via, channel, _ := d.Shim.ChannelOf(r) // the loader has seen that there is one
		i := slices.IndexFunc(out, func(h Handler) bool { return h.Host == r.Host.Text && h.Via == via })
		if i < 0 {
			out = append(out, Handler{Host: r.Host.Text, Via: via, Channel: channel})
			i = len(out) - 1
		}
		out[i].Rows = append(out[i].Rows, r)
	}
	for i := range out {
		out[i].Wanted, out[i].Always = wanted(d, out[i].Rows)
	}
	return out
}

// Args are the parameters of the registered function: a row's own, else the channel's.
func (h Handler) Args() []descriptor.Param {
	for _, r := range h.Rows {
		if r.Args != nil {
			return r.Args
		}
	}
	return h.Channel.Args
}

// wanted works out for which neutral events a handler must be registered: those it dispatches, and those whose context it
// delivers. always is true when it must be in any case, because a row acts, or opens or closes the rendezvous.
func wanted(d *descriptor.Descriptor, rows []descriptor.GenerativeRow) (events []string, always bool) {
	for _, r := range rows {
		always = always || r.Open || r.Close || r.Do.Set() && !r.Event.Set()
		for _, e := range append(feeds(d, r), r.Event.Text) {
			if e != "" && !slices.Contains(events, e) {
				events = append(events, e)
			}
		}
	}
	return events, always
}

// feeds lists the events whose context the row delivers.
func feeds(d *descriptor.Descriptor, r descriptor.GenerativeRow) (events []string) {
	if r.Deliver == nil {
		return nil
	}
	for _, other := range d.Events.Generative {
		if other.Context != nil && other.Context.Hold.Text == r.Deliver.Slot.Text {
			events = append(events, other.Event.Text)
		}
	}
	return events
}

package descriptor

import "fmt"

// fake checks that the imitation of the host has what the shim asks of it.
func (k *checker) fake() {
	f := k.d.Fake
	if f == nil || k.d.Shim == nil {
		return
	}
	for _, e := range f.Args {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.args names channel %q", e.Key), e.Key, k.d.Shim.Channels.Keys())
	}
	hosts, events := rowNames(k.d.Events.Generative)
	for _, e := range f.Events {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.events has a sample of %q, which no row takes", e.Key), e.Key, hosts)
	}
	for _, e := range f.Saw {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.saw asks for %q, which no row dispatches", e.Key), e.Key, events)
	}
}

// rowNames returns the host's and the neutral events of the rows.
func rowNames(rows []GenerativeRow) (hosts, events []string) {
	for _, r := range rows {
		hosts = append(hosts, r.Host.Text)
		if r.Event.Set() {
			events = append(events, r.Event.Text)
		}
	}
	return hosts, events
}

package descriptor

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// fake checks that the imitation of the host is one of this host.
func (k *checker) fake() {
	f := k.d.Fake
	if f == nil {
		return
	}
	hosts, events := k.rowNames()
	k.fakePlays(f, hosts, events)
	if f.Real != nil {
		k.fakeReal(f.Real)
	}
	for _, e := range f.Calls {
		k.treeTokens(e.Value.Input, tokensOf[FakeCall]("Input"))
	}
	switch {
	case k.d.Shim != nil:
		k.fakeModule(f, hosts)
		k.foreignKeys("a generative", map[string]Pos{"payloads": keyPos(f.Payloads), "reads": keyPos(f.Reads)})
	case k.d.Hooks != nil:
		k.fakeCommand(f, hosts)
		k.foreignKeys("an external", map[string]Pos{
			"params": f.Params.Pos, "args": keyPos(f.Args), "modes": keyPos(f.Modes), "events": keyPos(f.Events), "saw": keyPos(f.Saw),
		})
	}
}

// fakePlays checks that what is played consists of events that are there.
func (k *checker) fakePlays(f *Fake, hosts, events []string) {
	known := append(slices.Clone(events), harness.Plays...)
	for _, e := range f.Plays {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.plays has %q, which no row dispatches and conform does not play", e.Key), e.Key, known)
		for _, host := range e.Value {
			k.OneOfAt(host.Pos, fmt.Sprintf("fake.plays fires %q, which no row takes", host.Text), host.Text, hosts)
		}
	}
}

// fakeReal checks how the program itself is run.
func (k *checker) fakeReal(r *Real) {
	for _, e := range r.Calls {
		k.treeTokens(e.Value.Input, tokensOf[FakeCall]("Input"))
	}
	for _, e := range r.Files {
		if wrong := badPath(e.Key, "clone|user"); wrong != "" {
			k.want(e.KeyPos, pathForms["clone|user"], "fake.real.files: %s %s", e.Key, wrong)
		}
		k.treeTokens(e.Value, tokensOf[Real]("Files"))
	}
	if !slices.ContainsFunc(r.Argv, func(a Template) bool { return strings.Contains(a.Text, "{prompt}") }) {
		k.want(r.Pos, "{prompt} in argv", "fake.real does not say where the prompt goes")
	}
}

// fakeModule checks the imitation of a host that a module is loaded into.
func (k *checker) fakeModule(f *Fake, hosts []string) {
	if !f.Params.Set() || f.Args == nil || f.Events == nil {
		k.want(f.Pos, "all three", "fake has not params, args and events, so the shim cannot be loaded")
	}
	for _, e := range f.Args {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.args names channel %q", e.Key), e.Key, k.d.Shim.Channels.Keys())
	}
	if f.Modes != nil && k.d.Shim.Modes == nil {
		k.mend(f.Modes[0].KeyPos, "take it out, or add shim.modes", "fake.modes means nothing where shim has no modes")
		f.Modes = nil
	}
	for _, e := range f.Modes {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.modes names mode %q", e.Key), e.Key, k.d.Shim.Modes.Keys())
	}
	for _, e := range f.Events {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.events has a sample of %q, which no row takes", e.Key), e.Key, hosts)
	}
	for _, e := range f.Saw {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.saw looks at %q, which no row takes", e.Key), e.Key, hosts)
		k.effectKeys(e.Value.Keys(), func(i int) Pos { return e.Value[i].KeyPos })
	}
}

// fakeCommand checks the imitation of a host that starts a command.
func (k *checker) fakeCommand(f *Fake, hosts []string) {
	known := append([]string{"*"}, hosts...)
	for _, e := range f.Payloads {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.payloads has one of %q, which no row takes", e.Key), e.Key, known)
		k.treeTokens(e.Value, tokensOf[Fake]("Payloads"))
		if e.Value.Kind != strictyaml.Object {
			k.want(e.Value.Pos, "a mapping", "the payload of %s is no object", e.Key)
		}
	}
	for _, e := range f.Reads {
		k.OneOfAt(e.KeyPos, fmt.Sprintf("fake.reads looks at the answer to %q, which no row takes", e.Key), e.Key, known)
		k.effectKeys(e.Value.Keys(), func(i int) Pos { return e.Value[i].KeyPos })
		for _, places := range e.Value {
			for _, r := range places.Value {
				k.onJSON(r.Where)
			}
		}
	}
}

func (k *checker) effectKeys(keys []string, at func(int) Pos) {
	for i, key := range keys {
		k.OneOfAt(at(i), fmt.Sprintf("%q is no effect", key), key, names(harness.Effects))
	}
}

func (k *checker) foreignKeys(kind string, keys map[string]Pos) {
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !keys[key].IsZero() {
			k.mend(keys[key], "take it out", "fake.%s means nothing in the descriptor of %s harness", key, kind)
		}
	}
}

func keyPos[V any](m Map[V]) Pos {
	if len(m) == 0 {
		return Pos{}
	}
	return m[0].KeyPos
}

// rowNames returns the host's and the neutral events of the rows.
func (k *checker) rowNames() (hosts, events []string) {
	for _, r := range k.d.Events.Generative {
		hosts, events = append(hosts, r.Host.Text), append(events, r.Event.Text)
	}
	for _, r := range k.d.Events.External {
		hosts, events = append(hosts, r.Host.Text), append(events, r.Event.Text)
	}
	unset := func(s string) bool { return strings.TrimSpace(s) == "" }
	return hosts, slices.DeleteFunc(events, unset)
}

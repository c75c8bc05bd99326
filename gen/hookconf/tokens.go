package hookconf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

type tree = descriptor.Tree

// tokens are what the {names} in an entry stand for, at one event.
type tokens struct {
	args    []string // {args}: a list element that becomes several
	text    *strings.Replacer
	timeout string
	entry   tree
}

// The tokens that only a clone can fill; they stay in the config until materialize.
const (
	dispatcher = "{dispatcher}"
	root       = "{root}"
)

// hostEvent is what a void is called that is not about a value in a group, but about the event itself.
const hostEvent = "{host_event}"

func tokensOf(h *plan.Harness, s plan.Slot, failClosed bool) tokens {
	args := []string{"--root", root}
	if failClosed {
		args = append(args, "--fail-closed")
	}
	args = append(args, h.ID.Text, string(s.Event))
	t := tokens{args: args, timeout: timeout(h, s.Event)}
	t.text = strings.NewReplacer(
		"{command}", dispatcher+" "+strings.Join(args, " "),
		"{event}", string(s.Event),
		"{host_event}", s.Host,
	)
	t.entry = t.expand(h.Hooks.Entry)
	if own := s.Rows[0].Entry; own.Set() {
		t.entry.Object = merged(t.entry.Object, t.expand(own).Object)
	}
	if failClosed {
		t.entry.Object = merged(t.entry.Object, t.expand(h.Hooks.FailClosed).Object)
	}
	return t
}

// timeout is the host's limit for the event in the host's own unit.
func timeout(h *plan.Harness, event harness.Event) string {
	i := slices.IndexFunc(h.Bindings, func(b harness.Binding) bool { return b.Event == event })
	limit := h.Bindings[i].Limit
	if limit == 0 {
		limit = h.Hooks.Timeout.Default.D
	}
	if t := h.Hooks.Timeout; t.Unit.Text == "ms" || t.MsFrom.N > 0 && limit.Seconds() >= float64(t.MsFrom.N) {
		return strconv.FormatInt(limit.Milliseconds(), 10)
	}
	return strconv.FormatFloat(limit.Seconds(), 'f', -1, 64)
}

// expand returns t with every token replaced.
func (k tokens) expand(t tree) tree {
	switch t.Kind {
	case strictyaml.String:
		return k.word(t)
	case strictyaml.List:
		list := t.List
		t.List = nil
		for _, x := range list {
			t.List = append(t.List, k.element(x)...)
		}
	case strictyaml.Object:
		object := t.Object
		t.Object = nil
		for _, e := range object {
			e.Value = k.expand(e.Value)
			t.Object = append(t.Object, e)
		}
	}
	return t
}

// word expands a string; {timeout} alone becomes a number and {entry} alone the entry.
func (k tokens) word(t tree) tree {
	switch t.Text {
	case "{timeout}":
		return tree{Kind: strictyaml.Number, Text: k.timeout}
	case "{entry}":
		return k.entry
	}
	t.Text = k.text.Replace(t.Text)
	return t
}

// element expands one element of a list; {args} alone becomes one element an argument.
func (k tokens) element(t tree) []tree {
	if t.Kind != strictyaml.String || t.Text != "{args}" {
		return []tree{k.expand(t)}
	}
	var out []tree
	for _, a := range k.args {
		out = append(out, tree{Kind: strictyaml.String, Text: a})
	}
	return out
}

// merged puts the keys of extra into object, over those that it has.
func merged(object, extra descriptor.Map[tree]) descriptor.Map[tree] {
	object = slices.Clone(object)
	for _, e := range extra {
		if i := slices.IndexFunc(object, func(o strictyaml.Entry[tree]) bool { return o.Key == e.Key }); i >= 0 {
			object[i] = e
			continue
		}
		object = append(object, e)
	}
	return object
}

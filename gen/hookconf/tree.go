package hookconf

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

func object() tree { return tree{Kind: strictyaml.Object} }

// path is where the groups of an event stand in the config.
func path(h *plan.Harness, s plan.Slot) []string {
	keys := make([]string, len(h.Hooks.At))
	for i, k := range h.Hooks.At {
		keys[i] = strings.NewReplacer("{event}", string(s.Event), "{host_event}", s.Host).Replace(k.Text)
	}
	return keys
}

// appendAt puts value at the end of the list at keys, making the objects and the list that are missing.
func appendAt(t tree, keys []string, value tree) tree {
	if len(keys) == 0 {
		t.Kind = strictyaml.List
		t.List = append(slices.Clone(t.List), value)
		return t
	}
	t.Kind = strictyaml.Object
	t.Object = slices.Clone(t.Object)
	for i, e := range t.Object {
		if e.Key == keys[0] {
			t.Object[i].Value = appendAt(e.Value, keys[1:], value)
			return t
		}
	}
	t.Object = append(t.Object, strictyaml.Entry[tree]{Key: keys[0], Value: appendAt(tree{}, keys[1:], value)})
	return t
}

// valuesOf returns every scalar below t that stands under key; an empty string stands for a key that is an object or list.
func valuesOf(t tree, key string) (out []string) {
	t.Walk(func(x tree) {
		for _, e := range x.Object {
			if e.Key == key {
				out = append(out, e.Value.Text)
			}
		}
	})
	return out
}

// holds says whether a value that is there fulfils the predicate.
func holds(p descriptor.Predicate, value string) bool {
	in := func(list []descriptor.Str) bool {
		return slices.ContainsFunc(list, func(s descriptor.Str) bool { return s.Text == value })
	}
	switch {
	case p.In != nil:
		return in(p.In)
	case p.NotIn != nil:
		return !in(p.NotIn)
	case p.Match.Re != nil:
		return p.Match.Re.MatchString(value)
	}
	return p.Present
}

package config

import (
	"cmp"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Manifest compiles what the dispatcher reads, for the harnesses that were picked. path is where the file stands: a slash
// path relative to the clone, or an absolute path outside of it.
func (c *Config) Manifest(path string, picked []*harness.Harness) manifest.Manifest {
	m := manifest.Manifest{
		Protocol:         manifest.Protocol,
		Harnesses:        IDs(picked),
		MaxContinuations: c.MaxContinuations(),
		SelfProtect:      c.SelfProtects(),
		Sources:          c.compiledFrom(path),
		Env:              c.env,
		Events:           map[string][]manifest.Handler{},
	}
	for i := range c.Handlers {
		if h, ok := compile(&c.Handlers[i], IDs(picked)); ok {
			event := string(c.Handlers[i].Event.Event)
			m.Events[event] = append(m.Events[event], h)
		}
	}
	for _, list := range m.Events {
		slices.SortStableFunc(list, func(a, b manifest.Handler) int { return cmp.Compare(a.Order, b.Order) })
	}
	return m
}

func (c *Config) compiledFrom(path string) (all []manifest.Source) {
	for _, s := range c.sources {
		if path := cmp.Or(s.path, path); len(s.keys) > 0 {
			all = append(all, manifest.KeysSource(path, s.keys, s.data))
		} else {
			all = append(all, manifest.WholeSource(path, s.data))
		}
	}
	return all
}

// compile returns the handler as the dispatcher reads it, and false when it runs in none of the harnesses.
func compile(h *Handler, picked []string) (manifest.Handler, bool) {
	in := slices.DeleteFunc(slices.Clone(picked), func(id string) bool { return !h.In(id) })
	m := manifest.Handler{
		Name: h.Name.Text, Order: h.Order.N, Matcher: h.Matcher.Text, If: h.If.Text, Files: texts(h.Files), Argv: texts(h.Argv), Run: h.Run.Text,
		TimeoutMS: h.Timeout.D.Milliseconds(), Block: h.Block.Or(true), OnError: manifest.AllowOnFault,
		OnLimit: manifest.Policy(h.OnLimit.Text), Async: h.Async.B, Nested: h.Nested, Managed: h.Managed,
	}
	if h.FailsClosed() {
		m.OnError = manifest.BlockOnFault
	}
	if len(in) < len(picked) {
		m.Harnesses = in
	}
	return m, len(in) > 0
}

func texts(list []strictyaml.Str) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.Text)
	}
	return out
}

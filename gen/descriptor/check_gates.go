package descriptor

import (
	"slices"
	"strings"
)

var surfaceKinds = []string{"tool", "skill", "mcpServer", "extension", "provider", "approvalMode"}

// gates checks that every surface of the catalog is one that some row says how to lock.
func (k *checker) gates() {
	g := k.d.Gates
	if g == nil {
		return
	}
	for _, feature := range g.Catalog {
		for _, kind := range feature.Value {
			if !k.OneOfAt(kind.KeyPos, "unknown kind of surface "+kind.Key, kind.Key, surfaceKinds) {
				continue
			}
			for _, name := range kind.Value {
				if !g.says(kind.Key, name.Text) {
					k.mend(name.Pos, "add a row of that kind, with the name or without names", "no row of gates.surfaces says how the %s %q is locked", kind.Key, name.Text)
				}
			}
		}
	}
}

// says reports whether some row is for the surface.
func (g *Gates) says(kind, name string) bool {
	return slices.ContainsFunc(g.Surfaces, func(s Surface) bool {
		named := func(n Str) bool { return n.Text == name }
		return s.Kind.Text == kind && (s.Names == nil || name == "*" || slices.ContainsFunc(s.Names, named))
	})
}

// Validate checks that the gate reaches the host.
func (l *GateLoad) Validate(c *reader) {
	if !l.Flag.Set() && !l.Env.Set() && !l.EnvContent.Set() {
		c.ReportAt(l.Pos, fault{What: "gates.write.load does not say how the host is pointed at the gate", Expected: "flag, env or env_content"})
	}
}

// Validate checks that the gate has a file when something names it.
func (w *GateWrite) Validate(c *reader) {
	if !w.Path.Set() && (w.Load.Flag.Set() || w.Load.Env.Set()) {
		c.ReportAt(w.Pos, fault{What: "gates.write has no path, but flag and env take a file", Hint: "add path"})
	}
}

// Validate checks that a surface is said in one way, with the keys that belong to it.
func (s *Surface) Validate(c *reader) {
	ways := 0
	for _, set := range []bool{s.Set.Set(), s.List.Set(), s.Flag.Set()} {
		if set {
			ways++
		}
	}
	if ways != 1 {
		c.ReportAt(s.Pos, fault{What: "a surface is locked in one way", Expected: "exactly one of set, list, flag"})
		return
	}
	lists := !s.Set.Set()
	for _, x := range []struct {
		key   string
		pos   Pos
		valid bool
	}{{"of", s.Of.Pos, lists}, {"type", s.Type.Pos, !lists}, {"locked_value", s.LockedValue.Pos, !lists}} {
		if !x.pos.IsZero() && !x.valid {
			c.ReportAt(x.pos, fault{What: x.key + " means nothing here", Expected: map[bool]string{true: "of", false: "type, locked_value or order"}[lists]})
		}
	}
	switch {
	case lists && !s.Of.Set():
		c.ReportAt(s.Pos, fault{What: "the surface does not say which names are listed", Expected: "of: locked or of: unlocked"})
	case !lists && s.Order == nil && !strings.Contains(s.Set.Text, "{name}"):
		c.ReportAt(s.Set.Pos, fault{What: "set is " + s.Set.Text + ", the same key for every name", Expected: "{name} in it, or order"})
	}
}

package descriptor

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

var surfaceKinds = []string{"tool", "skill", "mcpServer", "extension", "provider", "approvalMode"}

// gates checks that every surface of a catalog is one that some row says how to lock, and that the proof asks for all of them.
func (k *checker) gates() {
	g := k.d.Gates
	if g == nil {
		return
	}
	if len(g.Catalogs) == 0 {
		k.mend(g.Pos, "add one", "gates.catalogs has no catalog")
	}
	for _, f := range g.Files {
		k.variableKeys(keyPlaces(f.Value.Env))
		if f.Value.Argv == nil && len(f.Value.Env) == 0 && !g.Dir.Set() {
			k.mend(f.Value.Pos, "add argv, or env, or dir to gates", "nothing points the host at the gate's file %s", f.Key)
		}
	}
	for _, s := range g.Surfaces {
		k.carried(g, s)
		k.treeTokens(s.Item, tokensOf[Surface]("Item"))
	}
	known := map[string]bool{}
	for _, catalog := range g.Catalogs {
		for _, feature := range catalog.Value {
			for _, kind := range feature.Value {
				k.surfaces(g, kind.Key, kind.KeyPos, kind.Value, known)
			}
		}
	}
	k.proof(g, known)
}

// surfaces checks the names of one kind, and notes them as capabilities.
func (k *checker) surfaces(g *Gates, kind string, at Pos, names []Str, known map[string]bool) {
	if !k.OneOfAt(at, "unknown kind of surface "+kind, kind, surfaceKinds) {
		return
	}
	for _, name := range names {
		known[CapabilityID(kind, name.Text)] = true
		if !g.says(kind, name.Text) {
			k.mend(name.Pos, "add a row of that kind, with the name or without names", "no row of gates.surfaces says how the %s %q is locked", kind, name.Text)
		}
	}
}

// carried checks that the file of a row is one of the gate's, and that there is one when a key has to stand in it.
func (k *checker) carried(g *Gates, s Surface) {
	files := g.Files.Keys()
	if s.File.Set() {
		k.OneOfAt(s.File.Pos, "gates.files has no file "+s.File.Text, s.File.Text, files)
		return
	}
	if len(files) == 0 && (s.Set.Set() || s.List.Set() || len(s.Also) > 0) {
		k.mend(s.Pos, "add gates.files", "the surface is said in a file, but the gate has none")
	}
}

// proof checks that each capability is asked for, and that nothing else is.
func (k *checker) proof(g *Gates, known map[string]bool) {
	if g.Prove == nil {
		return
	}
	for _, f := range g.Prove.Files {
		if wrong := badPath(f.Key, "clone|user"); wrong != "" {
			k.want(f.KeyPos, pathForms["clone|user"], "gates.prove.files: %s %s", f.Key, wrong)
		}
		k.treeTokens(f.Value, tokensOf[GateProof]("Files"))
	}
	for _, p := range g.Prove.Probes {
		k.treeTokens(p.Value.Input, tokensOf[GateProbe]("Input"))
		if !known[p.Key] {
			k.mend(p.KeyPos, "take it out, or add it to a catalog", "no catalog of gates has the capability %q", p.Key)
		}
		k.withOthers(p.Value, known)
	}
	for _, p := range g.Prove.Probes {
		delete(known, p.Key)
		called := !p.Value.Input.Pos.IsZero()
		if !called && p.Value.Call.Set() {
			k.mend(p.KeyPos, "add input", "the probe of %q calls %s without an input", p.Key, p.Value.Call.Text)
		}
		if !called && !p.Value.Text.Set() {
			k.mend(p.KeyPos, "add input, or text", "the probe of %q says nothing that could be seen", p.Key)
		}
	}
	for _, name := range sortedKeys(known) {
		k.mend(g.Prove.Pos, "add it to gates.prove.probes", "nothing shows whether %q is locked", name)
	}
}

// withOthers checks that what a probe is seen with is there.
func (k *checker) withOthers(p GateProbe, known map[string]bool) {
	for _, w := range p.With {
		if !known[w.Text] {
			k.mend(w.Pos, "take it out, or add it to a catalog", "no catalog of gates has the capability %q", w.Text)
		}
	}
}

func sortedKeys(m map[string]bool) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// CapabilityID is how a surface is called where kinds stand side by side: tool:bash, mcp:demo.
func CapabilityID(kind, name string) string {
	if kind == "mcpServer" {
		kind = "mcp"
	}
	return kind + ":" + name
}

// says reports whether some row is for the surface.
func (g *Gates) says(kind, name string) bool {
	return slices.ContainsFunc(g.Surfaces, func(s Surface) bool {
		named := func(n Str) bool { return n.Text == name }
		return s.Kind.Text == kind && (s.Names == nil || slices.ContainsFunc(s.Names, named))
	})
}

// Validate checks that a document has a path where something names it, or when it is nothing but a file.
func (f *GateFile) Validate(c *reader) {
	if !f.Root.Pos.IsZero() && f.Root.Kind != strictyaml.Object {
		c.ReportAt(f.Root.Pos, fault{What: "root is no object", Expected: "an object"})
	}
	names := func(t Template) bool { return strings.Contains(t.Text, "{file}") }
	named := slices.ContainsFunc(f.Argv, names) || f.Argv == nil && len(f.Env) == 0
	for _, e := range f.Env {
		named = named || names(e.Value)
	}
	if named && !f.Path.Set() {
		c.ReportAt(f.Pos, fault{What: "the file has no path, but it has to be one", Hint: "add path"})
	}
}

// Validate checks that a surface is said in one way, with the keys that belong to it.
func (s *Surface) Validate(c *reader) {
	list, flag, set := s.List.Set(), s.Flag.Set(), s.Set.Set()
	ways := 0
	for _, way := range []bool{set, list, flag, s.Argv != nil} {
		if way {
			ways++
		}
	}
	if ways != 1 {
		c.ReportAt(s.Pos, fault{What: "a surface is locked in one way", Expected: "exactly one of set, list, flag, argv"})
		return
	}
	lists := list || flag
	typed := set && s.Type.Text != "bool"
	order := Pos{}
	if len(s.Order) > 0 {
		order = s.Order[0].Pos
	}
	for _, x := range []struct {
		key   string
		pos   Pos
		valid bool
	}{
		{"of", s.Of.Pos, lists}, {"item", s.Item.Pos, lists}, {"file", s.File.Pos, set || list}, {"type", s.Type.Pos, set},
		{"locked_value", s.LockedValue.Pos, typed}, {"order", order, typed},
	} {
		if !x.pos.IsZero() && !x.valid {
			c.ReportAt(x.pos, fault{What: x.key + " means nothing here", Hint: "take it out"})
		}
	}
	switch {
	case lists && !s.Of.Set():
		c.ReportAt(s.Pos, fault{What: "the surface does not say which names are listed", Expected: "of: locked or of: unlocked"})
	case set && s.Order == nil && !strings.Contains(s.Set.Text, "{name}"):
		c.ReportAt(s.Set.Pos, fault{What: "set is " + s.Set.Text + ", the same key for every name", Expected: "{name} in it, or order"})
	case typed && s.Order == nil && !s.LockedValue.Set():
		c.ReportAt(s.Pos, fault{What: "the surface does not say what a locked one gets", Expected: "type: bool, locked_value or order"})
	}
}

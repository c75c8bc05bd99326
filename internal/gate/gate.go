package gate

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Gate is what locks one harness's features, with one of its catalogs.
type Gate struct {
	harness.Gate
	Catalog harness.GateCatalog // the newest, until Use chooses another
}

// Open reads the gate of a harness from what the generator emitted. The error says which harnesses have one.
func Open(golden fs.FS, id string) (*Gate, error) {
	data, err := fs.ReadFile(golden, harness.GateData(id))
	if err != nil {
		return nil, fmt.Errorf("%s has no gates in its descriptor; these have: %s", id, strings.Join(IDs(golden), ", "))
	}
	g := &Gate{}
	if err := json.Unmarshal(data, &g.Gate); err != nil {
		return nil, fmt.Errorf("%s: %w", harness.GateData(id), err)
	}
	if len(g.Catalogs) == 0 {
		return nil, fmt.Errorf("%s: there is no catalog in it", harness.GateData(id))
	}
	g.Catalog = g.Catalogs[len(g.Catalogs)-1]
	return g, nil
}

// IDs lists the harnesses that have gates.
func IDs(golden fs.FS) (ids []string) {
	files, _ := fs.Glob(golden, harness.GateData("*")) // the pattern is right
	for _, f := range files {
		ids = append(ids, strings.TrimSuffix(f, harness.GateData("")))
	}
	return ids
}

// Use returns the gate with the catalog of that name; "" is the newest.
func (g *Gate) Use(catalog string) (*Gate, error) {
	if catalog == "" {
		return g, nil
	}
	var names []string
	for _, c := range g.Catalogs {
		if names = append(names, c.Name); c.Name == catalog {
			return &Gate{g.Gate, c}, nil
		}
	}
	return nil, fmt.Errorf("%s has no catalog %q; it has %s", g.ID, catalog, strings.Join(names, ", "))
}

// Features lists what can be unlocked, in the catalog's order.
func (g *Gate) Features() (ids []string) {
	for _, f := range g.Catalog.Features {
		ids = append(ids, f.ID)
	}
	return ids
}

// Known returns an error that names the features when one of the given is none.
func (g *Gate) Known(features []string) error {
	for _, f := range features {
		if !slices.Contains(g.Features(), f) {
			return fmt.Errorf("catalog %s of %s has no feature %q; it has %s", g.Catalog.Name, g.ID, f, strings.Join(g.Features(), ", "))
		}
	}
	return nil
}

// capability is one surface of the catalog, with the row that locks it.
type capability struct {
	harness.GateName
	row  int // index in Surfaces
	open bool
}

// ID is how a capability is called: its kind and its name.
func ID(n harness.GateName) string {
	if n.Kind == "mcpServer" {
		return "mcp:" + n.Name
	}
	return n.Kind + ":" + n.Name
}

// capabilities are the catalog's surfaces, each once, by id; open where one of the features lists it.
func (g *Gate) capabilities(unlocked []string) (all []capability) {
	for _, f := range g.Catalog.Features {
		open := slices.Contains(unlocked, f.ID)
		for _, n := range f.Surfaces {
			i := slices.IndexFunc(all, func(c capability) bool { return c.GateName == n })
			if i < 0 {
				i = len(all)
				all = append(all, capability{GateName: n, row: g.rowOf(n)})
			}
			all[i].open = all[i].open || open
		}
	}
	slices.SortFunc(all, func(a, b capability) int { return strings.Compare(ID(a.GateName), ID(b.GateName)) })
	return all
}

// rowOf is the first row that fits; the generator has checked that there is one.
func (g *Gate) rowOf(n harness.GateName) int {
	return slices.IndexFunc(g.Surfaces, func(s harness.GateSurface) bool {
		return s.Kind == n.Kind && (s.Names == nil || slices.Contains(s.Names, n.Name))
	})
}

// Capabilities lists the ids of the catalog's surfaces, sorted.
func (g *Gate) Capabilities() (ids []string) {
	for _, c := range g.capabilities(nil) {
		ids = append(ids, ID(c.GateName))
	}
	return ids
}

// Says is what a capability is to the model when it is locked: absent or refused.
func (g *Gate) Says(id string) string {
	for _, c := range g.capabilities(nil) {
		if ID(c.GateName) == id {
			return g.Surfaces[c.row].Says
		}
	}
	return ""
}

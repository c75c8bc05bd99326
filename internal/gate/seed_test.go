package gate

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// built is what the generator emitted, as it ships.
var built = os.DirFS("../../golden")

func open(t *testing.T, id, catalog string) *Gate {
	t.Helper()
	g, err := Open(built, id)
	if err == nil {
		g, err = g.Use(catalog)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// asWritten is the gate as it was first written down, for 16.2.13: every tool had a switch then.
func asWritten(t *testing.T) *Gate {
	t.Helper()
	g := *open(t, "omp", "v1")
	var rows []harness.GateSurface
	for _, s := range g.Surfaces {
		if s.Kind != "tool" {
			rows = append(rows, s)
		}
	}
	g.Surfaces = append(rows, harness.GateSurface{Kind: "tool", Set: "{name}.enabled", Bool: true, Says: "absent"})
	return &g
}

func render(t *testing.T, g *Gate, unlocked ...string) *Config {
	t.Helper()
	c, err := g.Render(unlocked)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestTheFirstCatalogIsRenderedToTheByte: with the switches of its time the catalog renders what was first recorded for it.
func TestTheFirstCatalogIsRenderedToTheByte(t *testing.T) {
	g := asWritten(t)
	for name, unlocked := range map[string][]string{"locked": nil, "some": {"mcp", "skills", "tool:shell"}, "unlocked": g.Features()} {
		c := render(t, g, unlocked...)
		goldentest.Compare(t, filepath.Join("testdata", "first-"+name+".yml"), string(c.text(0)))
		goldentest.Compare(t, filepath.Join("testdata", "first-"+name+".json"), string(c.text(1)))
	}
	if n := len(g.Capabilities()); n != 17 {
		t.Errorf("%d capabilities, not 17", n)
	}
	if c := render(t, g, g.Features()...); len(c.Enabled()) != 17 {
		t.Errorf("unlocked are %v", c.Enabled())
	}
	if c := render(t, g); len(c.Enabled()) != 0 {
		t.Errorf("locked all the same are %v", c.Enabled())
	}
}

// TestEveryGateIsRenderedAsRecorded: what each agent is given, locked and unlocked, as people can read it.
func TestEveryGateIsRenderedAsRecorded(t *testing.T) {
	ids := IDs(built)
	if len(ids) < 1 {
		t.Fatal("no gates")
	}
	for _, id := range ids {
		data, err := fs.ReadFile(built, harness.GateData(id))
		if err != nil {
			t.Fatal(err)
		}
		var all harness.Gate
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
		for _, catalog := range all.Catalogs {
			g := open(t, id, catalog.Name)
			text := Describe(render(t, g).In("{dir}"))
			text += "\n======== everything unlocked ========\n\n" + Describe(render(t, g, g.Features()...).In("{dir}"))
			goldentest.Compare(t, filepath.Join("testdata", id+"-"+catalog.Name+".txt"), text)
		}
	}
}

package gate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// everyGate calls f for each catalog of each agent.
func everyGate(t *testing.T, f func(t *testing.T, g *Gate)) {
	for _, id := range IDs(built) {
		newest := open(t, id, "")
		for _, c := range newest.Catalogs {
			t.Run(id+"/"+c.Name, func(t *testing.T) { f(t, open(t, id, c.Name)) })
		}
	}
}

// TestUnlockingNeverTakesAway: along any sequence in which features are only added, no capability is lost; and what is
// unlocked is what the features list, whatever the order.
func TestUnlockingNeverTakesAway(t *testing.T) {
	everyGate(t, func(t *testing.T, g *Gate) {
		random := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			features := g.Features()
			random.Shuffle(len(features), func(i, j int) { features[i], features[j] = features[j], features[i] })
			steps := []*Config{render(t, g)}
			for n := 0; n < len(features); n += 1 + random.IntN(2) {
				steps = append(steps, render(t, g, features[:n+1]...))
			}
			if lost := Monotonic(steps); lost != nil {
				t.Fatalf("%v: lost %v", features, lost)
			}
			half := features[:random.IntN(len(features)+1)]
			if got, want := render(t, g, half...).Enabled(), listedBy(g, half); !slices.Equal(got, want) {
				t.Fatalf("%v: enabled are %v, listed are %v", half, got, want)
			}
		}
	})
}

// listedBy are the capabilities that features list, and the weaker modes that a stronger one comprises.
func listedBy(g *Gate, features []string) (ids []string) {
	for _, c := range g.capabilities(features) {
		open := c.open
		if order := g.Surfaces[c.row].Order; order != nil {
			for _, other := range g.capabilities(features) {
				open = open || other.row == c.row && other.open && slices.Index(order, other.Name) > slices.Index(order, c.Name)
			}
		}
		if open {
			ids = append(ids, ID(c.GateName))
		}
	}
	return ids
}

// TestARegressionIsNamed: with the steps between which it happens and what is lost.
func TestARegressionIsNamed(t *testing.T) {
	g := open(t, "omp", "v1")
	got := Monotonic([]*Config{render(t, g), render(t, g, "mcp", "tool:bash"), render(t, g, "mcp", "tool:bash", "skills"), render(t, g, "skills", "tool:shell"), render(t, g, "tool:shell")})
	want := []Violation{{2, 3, "mcp:lorimer-demo"}, {3, 4, "skill:*"}}
	if !slices.Equal(got, want) {
		t.Errorf("lost %v, not %v", got, want)
	}
}

// TestAFaultyRowIsSeenInWhatIsRendered: parity and monotony judge the text and not the wish. A row that locks what it should
// unlock is a descriptor's fault, and no feature of it looks unlocked.
func TestAFaultyRowIsSeenInWhatIsRendered(t *testing.T) {
	for i, row := range open(t, "omp", "v1").Surfaces {
		g := *open(t, "omp", "v1")
		g.Surfaces = slices.Clone(g.Surfaces)
		if row.Of == "" || row.Kind == "approvalMode" {
			continue
		}
		c := render(t, &g, g.Features()...)
		put(c.trees[row.File], row.List, []any{}) // as a list that lost its items
		if row.Of == "locked" {
			put(c.trees[row.File], row.List, itemsOf(&g, i))
		}
		if lost := Monotonic([]*Config{render(t, &g, g.Features()...), c}); len(lost) != len(itemsOf(&g, i)) {
			t.Errorf("%s: lost %v", row.List, lost)
		}
	}
}

func itemsOf(g *Gate, row int) (items []any) {
	for _, c := range g.capabilities(nil) {
		if c.row == row {
			items = append(items, itemOf(g.Surfaces[row], c.Name))
		}
	}
	return items
}

func TestParity(t *testing.T) {
	everyGate(t, func(t *testing.T, g *Gate) {
		issues, err := g.Parity()
		if err != nil || len(issues) > 0 {
			t.Errorf("%v, %v", issues, err)
		}
	})
	g := *open(t, "omp", "v1")
	// Two rows that write into one list: what one opens the other shuts.
	g.Surfaces = append([]harness.GateSurface{{Kind: "tool", Names: []string{"task"}, List: "disabledExtensions", Of: "unlocked", Item: []byte(`"extension-module:lorimer-demo"`)}}, g.Surfaces...)
	issues, err := g.Parity()
	if err != nil || len(issues) != 1 || issues[0].Capability != "extension:extension-module:lorimer-demo" {
		t.Errorf("%v, %v", issues, err)
	}
}

func TestUnknownFeaturesAndCatalogsAreNamed(t *testing.T) {
	g := open(t, "omp", "v1")
	if _, err := g.Render([]string{"mcp", "tool:bsh"}); err == nil || !strings.Contains(err.Error(), "tool:bash") || !strings.Contains(err.Error(), `"tool:bsh"`) {
		t.Errorf("%v", err)
	}
	if _, err := g.Use("v9"); err == nil || !strings.Contains(err.Error(), "v1, v2") {
		t.Errorf("%v", err)
	}
	if _, err := Open(built, "amp"); err == nil || !strings.Contains(err.Error(), "omp") {
		t.Errorf("%v", err)
	}
}

// TestAStarIsEveryName: where a list names what is on, all of them are on with a star.
func TestAStarIsEveryName(t *testing.T) {
	g := *open(t, "omp", "v1")
	skills := func(names ...string) (list []harness.GateName) {
		for _, n := range names {
			list = append(list, harness.GateName{Kind: "skill", Name: n})
		}
		return list
	}
	g.Catalog.Features = []harness.GateFeature{{ID: "all", Surfaces: skills("*")}, {ID: "one", Surfaces: skills("alpha")}}
	if got := render(t, &g, "all").Enabled(); !slices.Equal(got, []string{"skill:*", "skill:alpha"}) {
		t.Errorf("%v", got)
	}
	if got := render(t, &g, "one").Enabled(); !slices.Equal(got, []string{"skill:alpha"}) {
		t.Errorf("%v", got)
	}
}

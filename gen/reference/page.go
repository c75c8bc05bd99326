package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/gen/plan"
	gen "github.com/lorimer-dev/lorimer/gen/schema"
	"github.com/lorimer-dev/lorimer/internal/schema"
)

// page renders the parts of docs/descriptor.md.
type page struct {
	parts  gen.Parts
	usage  usage
	common map[string]*schema.Schema // structs that stand in several places, by name: they have a place of their own
	done   []string                  // sections that the prose asked for
}

func newPage(parts gen.Parts, p *plan.Plan) (*page, error) {
	g := &page{parts: parts, common: map[string]*schema.Schema{}}
	g.findCommon()
	u, err := countUsage(parts, p)
	g.usage = u
	return g, err
}

// findCommon finds the structs with a page's worth of places.
func (g *page) findCommon() {
	places := map[string]int{}
	for _, s := range []*schema.Schema{g.parts.Descriptor, g.parts.Generative, g.parts.External} {
		each(s, func(x *schema.Schema) {
			if places[x.Struct]++; x.Struct != "" && places[x.Struct] > 2 {
				g.common[x.Struct] = x
			}
		})
	}
}

// each calls f for every struct below s.
func each(s *schema.Schema, f func(*schema.Schema)) {
	if s == nil {
		return
	}
	if s.Struct != "" {
		f(s)
	}
	for _, p := range s.Properties {
		each(p.Schema, f)
	}
	for _, inner := range inside(s) {
		each(inner, f)
	}
}

// inside are the values that a value is made of, apart from the keys of a struct.
func inside(s *schema.Schema) []*schema.Schema {
	list := append([]*schema.Schema{s.Items}, s.OneOf...)
	if s.Struct == "" {
		list = append(list, s.Additional)
		if s.If != nil {
			list = append(list, s.Then, s.Else)
		}
	}
	return slices.DeleteFunc(list, func(x *schema.Schema) bool { return x == nil || x.Never })
}

// section renders one key of the top and everything below it.
func (g *page) section(key string) (string, error) {
	s := g.parts.Descriptor.Properties.Get(key)
	if s == nil {
		return "", fmt.Errorf("there is no section %q", key)
	}
	g.done = append(g.done, key)
	var b strings.Builder
	fmt.Fprintf(&b, "## `%s`\n\n", key)
	if slices.Contains(g.parts.Descriptor.Required, key) {
		b.WriteString("Required. ")
	}
	fmt.Fprintf(&b, "%s\n\nUsed by %s.\n", paragraph(s.Description), strings.Replace(g.usage.who(s), "none yet", "no harness yet", 1))
	g.below(&b, key, s)
	return strings.TrimRight(b.String(), "\n"), nil
}

// rows renders the keys of the generative or the external rows of `events`.
func (g *page) rows(kind string) string {
	s, title := g.parts.Generative, "A generative row"
	if kind == "external" {
		s, title = g.parts.External, "An external row"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%s\n\n", title, paragraph(s.Description))
	g.table(&b, s)
	for _, p := range s.Properties {
		g.below(&b, "events[]."+p.Key, p.Schema)
	}
	return strings.TrimRight(b.String(), "\n")
}

// shared renders the structs that stand in several places.
func (g *page) shared() string {
	var b strings.Builder
	names := []string{}
	for name := range g.common {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		s := g.common[name]
		fmt.Fprintf(&b, "### %s\n\n%s\n\n", title(name), paragraph(s.Description))
		g.table(&b, s)
	}
	return strings.TrimRight(b.String(), "\n")
}

// below renders the structs inside a value, each under the path that leads to it.
func (g *page) below(b *strings.Builder, path string, s *schema.Schema) {
	if s.Struct != "" && g.common[s.Struct] != nil {
		return
	}
	if s.Struct != "" {
		b.WriteString("\n")
		if strings.ContainsAny(path, ".[*") {
			fmt.Fprintf(b, "### `%s`\n\n", path)
		}
		if d := paragraph(s.Description); strings.Contains(path, "[]") || strings.Contains(path, "*") {
			fmt.Fprintf(b, "%s\n\n", d)
		}
		g.table(b, s)
		for _, p := range s.Properties {
			g.below(b, path+"."+p.Key, p.Schema)
		}
	}
	for _, inner := range inside(s) {
		switch {
		case inner == s.Items:
			g.below(b, path+"[]", inner)
		case inner == s.Additional:
			g.below(b, path+".*", inner)
		default:
			g.below(b, path, inner)
		}
	}
}

// leftOut are the sections that the prose forgot.
func (g *page) leftOut() (keys []string) {
	for _, p := range g.parts.Descriptor.Properties {
		if !slices.Contains(g.done, p.Key) {
			keys = append(keys, p.Key)
		}
	}
	return keys
}

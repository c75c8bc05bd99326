package reference

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/gen/plan"
	gen "github.com/lorimer-dev/lorimer/gen/schema"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/schema"
)

// usage counts which descriptors use a key. The key of a struct that stands in several places counts for all of them.
type usage struct {
	all  []string // the harnesses that hooks can be put into
	by   map[*schema.Schema][]string
	same map[string]*schema.Schema // "Predicate.key" to the first schema of it
	of   map[*schema.Schema]string // a key's schema to that name
}

func countUsage(parts gen.Parts, p *plan.Plan) (usage, error) {
	u := usage{by: map[*schema.Schema][]string{}, same: map[string]*schema.Schema{}, of: map[*schema.Schema]string{}}
	for _, s := range []*schema.Schema{parts.Descriptor, parts.Generative, parts.External} {
		each(s, u.name)
	}
	for _, h := range p.Harnesses {
		var doc yaml.Node
		if err := yaml.Unmarshal(h.Source, &doc); err != nil {
			return u, fmt.Errorf("%s: %w", h.File, err)
		}
		if h.Kind != harness.Bare {
			u.all = append(u.all, h.ID.Text)
		}
		root := doc.Content[0]
		u.mark(h.ID.Text, root, parts.Descriptor)
		rows := parts.Generative
		if h.Hooks != nil {
			rows = parts.External
		}
		u.mark(h.ID.Text, valueOf(root, "events"), &schema.Schema{Items: rows})
	}
	return u, nil
}

// name makes equal keys of equal structs one.
func (u usage) name(s *schema.Schema) {
	for _, p := range s.Properties {
		id := s.Struct + "." + p.Key
		if u.same[id] == nil {
			u.same[id] = p.Schema
		}
		u.of[p.Schema] = id
	}
}

func (u usage) representative(s *schema.Schema) *schema.Schema {
	if first := u.same[u.of[s]]; first != nil {
		return first
	}
	return s
}

// mark notes everything that a piece of a descriptor uses.
func (u usage) mark(id string, n *yaml.Node, s *schema.Schema) {
	if n == nil {
		return
	}
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if p := s.Properties.Get(n.Content[i].Value); p != nil {
				u.note(id, p)
				u.mark(id, n.Content[i+1], p)
			} else if s.Struct == "" && s.Additional != nil {
				u.mark(id, n.Content[i+1], s.Additional)
			}
		}
	}
	if n.Kind == yaml.SequenceNode && s.Items != nil {
		for _, x := range n.Content {
			u.mark(id, x, s.Items)
		}
	}
	for _, way := range append(slices.Clone(s.OneOf), ways(s)...) {
		u.mark(id, n, way)
	}
}

func ways(s *schema.Schema) []*schema.Schema {
	if s.If == nil {
		return nil
	}
	return []*schema.Schema{s.Then, s.Else}
}

func (u usage) note(id string, s *schema.Schema) {
	s = u.representative(s)
	if !slices.Contains(u.by[s], id) {
		u.by[s] = append(u.by[s], id)
	}
}

// who names the harnesses that use a key, or the few that do not.
func (u usage) who(s *schema.Schema) string {
	list := u.by[u.representative(s)]
	others := slices.DeleteFunc(slices.Clone(u.all), func(id string) bool { return slices.Contains(list, id) })
	switch {
	case len(list) == 0:
		return "none yet"
	case len(others) == 0:
		return "all"
	case len(others) <= 2 && len(list) > 4:
		return "all but " + strings.Join(others, ", ")
	}
	return strings.Join(list, ", ")
}

func valueOf(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

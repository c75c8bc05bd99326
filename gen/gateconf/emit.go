// Package gateconf emits what locks a harness's features: <id>/gate.json, the gates section of a descriptor as the engine
// reads it. A harness without one cannot be gated.
package gateconf

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Emit returns one file for each harness that can be gated.
func Emit(p *plan.Plan) (files []output.File, err error) {
	for _, h := range p.Harnesses {
		if h.Gates == nil {
			continue
		}
		data, err := json.MarshalIndent(gate(h), "", "  ")
		if err != nil {
			return nil, fmt.Errorf("gates of %s: %w", h.ID.Text, err)
		}
		files = append(files, output.File{Path: harness.GateData(h.ID.Text), Data: append(data, '\n')})
	}
	return files, nil
}

func gate(h *plan.Harness) harness.Gate {
	g := h.Gates
	out := harness.Gate{ID: h.ID.Text, Name: h.Name.Text, Dir: g.Dir.Text, Prove: proof(g.Prove)}
	for _, f := range g.Files {
		out.Files = append(out.Files, file(f.Key, f.Value))
	}
	for _, c := range g.Catalogs {
		out.Catalogs = append(out.Catalogs, harness.GateCatalog{Name: c.Key, Features: features(c.Value)})
	}
	for _, s := range g.Surfaces {
		out.Surfaces = append(out.Surfaces, surface(s, g.Files))
	}
	return out
}

func file(name string, f descriptor.GateFile) harness.GateFile {
	out := harness.GateFile{
		Name: name, Path: f.Path.Text, Format: f.Format.Text, Root: raw(f.Root), Marker: f.Marker, Argv: templates(f.Argv),
	}
	for _, e := range f.Env {
		out.Env = append(out.Env, e.Key+"="+e.Value.Text)
	}
	return out
}

func features(catalog descriptor.Map[descriptor.Map[[]descriptor.Str]]) (all []harness.GateFeature) {
	for _, f := range catalog {
		feature := harness.GateFeature{ID: f.Key, Surfaces: []harness.GateName{}}
		for _, kind := range f.Value {
			for _, name := range kind.Value {
				feature.Surfaces = append(feature.Surfaces, harness.GateName{Kind: kind.Key, Name: name.Text})
			}
		}
		all = append(all, feature)
	}
	return all
}

func surface(s descriptor.Surface, files descriptor.Map[descriptor.GateFile]) harness.GateSurface {
	out := harness.GateSurface{
		Kind: s.Kind.Text, Names: plan.Texts(s.Names), Says: s.Says.Text, Set: s.Set.Text, Bool: s.Type.Text == "bool", Locked: s.LockedValue.Text,
		Order: plan.Texts(s.Order), List: s.List.Text, Flag: s.Flag.Text, Of: s.Of.Text, Item: raw(s.Item), Argv: templates(s.Argv),
	}
	if out.Says == "" {
		out.Says = "absent"
	}
	if s.File.Set() {
		out.File = slices.Index(files.Keys(), s.File.Text)
	}
	for _, also := range s.Also {
		if also.Value.Text == "any" {
			out.Also = append(out.Also, also.Key)
		}
	}
	return out
}

func proof(p *descriptor.GateProof) *harness.GateProof {
	if p == nil {
		return nil
	}
	out := &harness.GateProof{Absent: p.Absent.Text, Refused: p.Refused.Text, Argv: templates(p.Argv), Probes: map[string]harness.GateProbe{}}
	for _, f := range p.Files {
		if out.Files == nil {
			out.Files = map[string]json.RawMessage{}
		}
		out.Files[f.Key] = raw(f.Value)
	}
	for _, x := range p.Probes {
		out.Probes[x.Key] = harness.GateProbe{
			Call: x.Value.Call.Text, Input: raw(x.Value.Input), Text: x.Value.Text.Text,
			With: plan.Texts(x.Value.With), Hidden: x.Value.Hidden,
		}
	}
	return out
}

func templates(list []descriptor.Template) (out []string) {
	for _, t := range list {
		out = append(out, t.Text)
	}
	return out
}

// raw is the JSON of a tree, nil where there is none.
func raw(t descriptor.Tree) json.RawMessage {
	if t.Pos.IsZero() {
		return nil
	}
	return json.RawMessage(plan.JSON(t, ""))
}

package stub

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// normalizes says whether the host's payload has to be turned into Claude's shape at all.
func normalizes(h *plan.Harness) bool {
	return h.Kind == harness.External && (h.Payload == nil || !h.Payload.Native)
}

func normalize(f *jen.File, h *plan.Harness) {
	if !normalizes(h) {
		return
	}
	if toolsOf(h) != nil {
		f.Commentf("%s returns what turns %s's tool calls into Claude's. It is no variable: each start of the dispatcher would make them all.", local(h, "Tools"), h.Name.Text)
		f.Func().Id(local(h, "Tools")).Params().Qual(library, "Tools").Block(jen.Return(toolsOf(h)))
	}
	name := local(h, "Normalize")
	f.Line()
	f.Commentf("%s turns a payload of %s into Claude's shape, key by key in contract order.", name, h.Name.Text)
	f.Func().Id(name).Params(jen.Id("event").Qual(library, "Event"), jen.Id("in").Qual(library, "In"), jen.Id("out").Op("*").Qual(library, "Payload")).BlockFunc(func(g *jen.Group) {
		for _, k := range descriptor.BaseKeys {
			if k == "agent_id" { // the event's name stands before what only sub-agents have
				g.Id("out").Dot("String").Call(jen.Lit("hook_event_name"), jen.String().Call(jen.Id("event")))
			}
			if !slices.Contains(perEvent(h), k) {
				base(g, h, k)
			}
		}
		g.Switch(jen.Id("event")).BlockFunc(func(g *jen.Group) {
			for _, b := range h.Bindings {
				eventCase(g, h, b.Event)
			}
		})
	})
}

// perEvent are the base keys that some row fills itself, because the host says at one event what others say at each.
func perEvent(h *plan.Harness) (keys []string) {
	for _, k := range descriptor.BaseKeys {
		if slices.ContainsFunc(h.Events.External, func(r descriptor.ExternalRow) bool { _, ok := r.Fields.Get(k); return ok }) {
			keys = append(keys, k)
		}
	}
	return keys
}

// base writes one base key; a key that the descriptor does not place has the same name at the host.
func base(g *jen.Group, h *plan.Harness, k string) { put(g, k, baseSource(h, k)) }

func baseSource(h *plan.Harness, k string) descriptor.Source {
	if h.Payload != nil {
		if mapped, ok := h.Payload.Keys.Get(k); ok {
			return mapped
		}
	}
	return onePath(descriptor.Path{Text: k})
}

// put writes one key from its source.
func put(g *jen.Group, k string, s descriptor.Source) {
	g.Id("out").Dot("Raw").Call(jen.Lit(k), from(s))
}

// from is the expression for a source's JSON text.
func from(s descriptor.Source) jen.Code {
	if len(s.Paths) == 0 {
		return literal(harness.Quoted(s.Value.Text))
	}
	var paths []jen.Code
	for _, p := range s.Paths {
		paths = append(paths, jen.Lit(p.Text))
	}
	raw := jen.Qual(library, "First").Call(append([]jen.Code{jen.Id("in")}, paths...)...)
	if s.Cut.Set() {
		return jen.Qual(library, "Cut").Call(raw, jen.Lit(s.Cut.Text))
	}
	if len(s.Values) == 0 {
		return raw
	}
	return jen.Qual(library, "Mapped").Call(raw, jen.Map(jen.String()).String().Values(stringDict(s.Values)))
}

func eventCase(g *jen.Group, h *plan.Harness, event harness.Event) {
	r := rowOf(h, event)
	keys := append(perEvent(h), descriptor.EventKeys[event]...)
	if len(keys) == 0 && r.Tool == nil {
		return
	}
	g.Case(jen.Qual(library, string(event))).BlockFunc(func(g *jen.Group) {
		for _, k := range keys {
			if slices.ContainsFunc(r.Wrong, func(w descriptor.Str) bool { return w.Text == k }) {
				continue
			}
			s, ok := r.Fields.Get(k)
			if !ok {
				s = descriptor.Source{Paths: []descriptor.Path{{Text: k}}}
			}
			put(g, k, s)
		}
		if r.Tool != nil {
			toolKeys(g, h, r.Tool)
		}
	})
}

// toolKeys writes the four keys of a tool call, the response last.
func toolKeys(g *jen.Group, h *plan.Harness, t *descriptor.ToolPaths) {
	if toolsOf(h) == nil {
		put(g, "tool_name", t.Name)
	} else {
		g.Id("name").Op(":=").Add(from(t.Name))
		g.Id("out").Dot("Raw").Call(jen.Lit("tool_name"), toolName(h))
	}
	if t.UseID.Set() {
		put(g, "tool_use_id", t.UseID)
	}
	if toolsOf(h) == nil {
		put(g, "tool_input", t.Input)
	} else {
		g.Id("out").Dot("Raw").Call(jen.Lit("tool_input"), toolInput(h, t))
	}
	if t.Response.Set() {
		put(g, "tool_response", t.Response)
	}
}

func toolName(h *plan.Harness) jen.Code {
	tools := jen.Id(local(h, "Tools")).Call()
	if m := h.Tools.MCP; m != nil && m.Server.Set() {
		return tools.Dot("MCP").Call(jen.Id("name"), from(onePath(m.Server)), from(onePath(m.Tool)))
	}
	return tools.Dot("Name").Call(jen.Id("name"))
}

func toolInput(h *plan.Harness, t *descriptor.ToolPaths) jen.Code {
	input := jen.Id(local(h, "Tools")).Call().Dot("Input").Call(jen.Id("name"), from(t.Input))
	if len(h.Tools.Absolute) == 0 {
		return input
	}
	return jen.Id(local(h, "Tools")).Call().Dot("Rooted").Call(input, from(baseSource(h, "cwd")))
}

// onePath is the source of a value that is in one place alone.
func onePath(p descriptor.Path) descriptor.Source {
	return descriptor.Source{Paths: []descriptor.Path{p}}
}

// toolsOf is the literal of the harness's tool tables; nil when it has none.
func toolsOf(h *plan.Harness) jen.Code {
	t := h.Tools
	if len(t.Names)+len(t.Args)+len(t.Paths)+len(t.Text)+len(t.Absolute) == 0 && t.MCP == nil {
		return nil
	}
	var f fields
	f.add("Names", jen.Map(jen.String()).String().Values(stringDict(t.Names)))
	f.add("Args", jen.Map(jen.String()).Map(jen.String()).String().Values(jen.DictFunc(func(d jen.Dict) {
		for _, e := range t.Args {
			d[jen.Lit(e.Key)] = jen.Values(stringDict(e.Value))
		}
	})))
	f.add("Files", jen.Map(jen.String()).Qual(library, "Files").Values(jen.DictFunc(func(d jen.Dict) {
		for _, e := range t.Paths {
			d[jen.Lit(e.Key)] = jen.Values(jen.Dict{jen.Id("From"): jen.Lit(e.Value.From.Text), jen.Id("Pattern"): jen.Lit(e.Value.Pattern.Text)})
		}
	})))
	if len(t.Text) > 0 {
		f.add("Text", jen.Map(jen.String()).String().Values(stringDict(t.Text)))
	}
	if t.MCP != nil && t.MCP.Join.Set() {
		joins := []string{t.MCP.Join.Text}
		if t.MCP.Also.Set() {
			joins = []string{t.MCP.Also.Text, t.MCP.Join.Text} // where it stands it is sure
		}
		f.add("Joins", stringList(joins))
	}
	if len(t.Absolute) > 0 {
		f.add("Absolute", stringList(texts(t.Absolute)))
	}
	return jen.Qual(library, "Tools").Values(f.end()...)
}

func stringDict(m descriptor.Map[descriptor.Str]) jen.Dict {
	d := jen.Dict{}
	for _, e := range m {
		d[jen.Lit(e.Key)] = jen.Lit(e.Value.Text)
	}
	return d
}

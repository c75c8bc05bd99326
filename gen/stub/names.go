package stub

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// named says whether the host's payloads say which event they are of.
func named(h *plan.Harness) bool {
	if h.Kind != harness.External || h.Payload == nil {
		return false
	}
	_, ok := h.Payload.Keys.Get(descriptor.Named)
	return ok
}

// names writes the function that reads it. The host's names of events are those of the rows.
func names(f *jen.File, h *plan.Harness) {
	if !named(h) {
		return
	}
	source, _ := h.Payload.Keys.Get(descriptor.Named)
	name := local(h, "Names")
	f.Line()
	f.Commentf("%s is the event that a payload of %s says it is of.", name, h.Name.Text)
	f.Func().Id(name).Params(jen.Id("in").Qual(library, "In")).Qual(library, "Event").BlockFunc(func(g *jen.Group) {
		g.Switch(from(source)).BlockFunc(func(g *jen.Group) {
			for _, b := range h.Bindings {
				if names := hostNames(h, b.Event); len(names) > 0 {
					g.Case(names...).Block(jen.Return(jen.Qual(library, string(b.Event))))
				}
			}
		})
		g.Return(jen.Lit(""))
	})
}

// hostNames are the host's words for what its entries call the event, as JSON.
func hostNames(h *plan.Harness, event harness.Event) (all []jen.Code) {
	for _, s := range h.SlotsOf(event) {
		all = append(all, literal(harness.Quoted(s.Host)))
	}
	return all
}

// restores says whether a rewritten input has to be put back into the host's words.
func restores(h *plan.Harness) bool {
	return normalizes(h) && len(h.Tools.Args)+len(h.Tools.Paths)+len(h.Tools.Text) > 0 &&
		slices.ContainsFunc(h.Bindings, func(b harness.Binding) bool { return b.Has(harness.RewriteInput) })
}

// restore writes the function that does it.
func restore(f *jen.File, h *plan.Harness) {
	if !restores(h) {
		return
	}
	i := slices.IndexFunc(h.Events.External, func(r descriptor.ExternalRow) bool { _, ok := r.Answer.Get(string(harness.RewriteInput)); return ok })
	tool := h.Events.External[i].Tool
	name := local(h, "Restore")
	f.Line()
	f.Commentf("%s puts a rewritten input back into %s's words.", name, h.Name.Text)
	f.Func().Id(name).Params(jen.Id("in").Qual(library, "In"), jen.Id("input").String()).Params(jen.String(), jen.Index().String()).Block(
		jen.Return(jen.Id(local(h, "Tools")).Call().Dot("Back").Call(from(tool.Name), from(tool.Input), jen.Id("input"))),
	)
}

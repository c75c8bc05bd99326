package stub

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// hasWhere says whether any row of the harness has conditions on the payload.
func hasWhere(h *plan.Harness) bool {
	return slices.ContainsFunc(h.Events.External, func(r descriptor.ExternalRow) bool { return len(r.Where) > 0 })
}

// means writes the function that tells which event a payload is of.
func means(f *jen.File, h *plan.Harness) {
	if !hasWhere(h) {
		return
	}
	name := local(h, "Means")
	f.Line()
	f.Commentf("%s is the event that a payload is of which came as the given one: %s uses some of its events for more than one thing.", name, h.Name.Text)
	f.Func().Id(name).Params(jen.Id("event").Qual(library, "Event"), jen.Id("in").Qual(library, "In")).Qual(library, "Event").BlockFunc(func(g *jen.Group) {
		g.Switch(jen.Id("event")).BlockFunc(func(g *jen.Group) {
			for _, b := range h.Bindings {
				meansCase(g, h, b)
			}
		})
		g.Return(jen.Id("event"))
	})
}

// meansCase writes what a start for the event may be; nothing where it is always that. What comes by no other entry is looked
// for in the same way.
func meansCase(g *jen.Group, h *plan.Harness, b harness.Binding) {
	rows := rowsFor(h, b.Event)
	if len(rows) == 0 || len(rows[0].Where) == 0 {
		return
	}
	cases := []jen.Code{jen.Qual(library, string(b.Event))}
	for _, e := range b.Turns {
		if len(h.SlotsOf(e)) == 0 {
			cases = append(cases, jen.Qual(library, string(e)))
		}
	}
	g.Case(cases...).BlockFunc(func(g *jen.Group) {
		for _, r := range rows {
			if len(r.Where) == 0 {
				g.Return(jen.Qual(library, r.Event.Text))
				return
			}
			g.If(allOf(r.Where)).Block(jen.Return(jen.Qual(library, r.Event.Text)))
		}
		g.Return(jen.Lit(""))
	})
}

// rowsFor are the rows of all of the host's events whose entries name the event, in the file's order.
func rowsFor(h *plan.Harness, event harness.Event) (rows []descriptor.ExternalRow) {
	slots := h.SlotsOf(event)
	for _, r := range h.Events.External {
		if slices.ContainsFunc(slots, func(s plan.Slot) bool { return s.Host == r.Host.Text }) {
			rows = append(rows, r)
		}
	}
	return rows
}

// speaks writes the function that tells the host's own payload.
func speaks(f *jen.File, h *plan.Harness) {
	if len(h.Speaker) == 0 {
		return
	}
	name := local(h, "Speaks")
	f.Line()
	f.Commentf("%s says whether a payload is %s's own, whosever hook config it came through.", name, h.Name.Text)
	f.Func().Id(name).Params(jen.Id("in").Qual(library, "In")).Bool().Block(jen.Return(allOf(h.Speaker)))
}

// allOf joins conditions by and; nil when there are none.
func allOf(conditions []descriptor.Predicate) jen.Code {
	var all []jen.Code
	for _, p := range conditions {
		all = append(all, predicate(p))
	}
	return joined(all, "&&")
}

func joined(terms []jen.Code, op string) jen.Code {
	if len(terms) == 0 {
		return nil
	}
	sum := jen.Add(terms[0])
	for _, t := range terms[1:] {
		sum.Op(op).Add(t)
	}
	return sum
}

// predicate is the Go test of one condition on the payload.
func predicate(p descriptor.Predicate) jen.Code {
	text := jen.Qual(library, "Text").Call(jen.Id("in"), jen.Lit(p.Key.Text))
	raw := jen.Id("in").Dot("Raw").Call(jen.Lit(p.Key.Text))
	switch {
	case p.In != nil:
		return jen.Qual("slices", "Contains").Call(stringList(texts(p.In)), text)
	case p.NotIn != nil:
		return jen.Op("!").Qual("slices", "Contains").Call(stringList(texts(p.NotIn)), text)
	case p.Match.Set():
		return jen.Add(raw).Op("!=").Lit("").Op("&&").Qual(library, "Match").Call(jen.Lit(p.Match.Text), text)
	case p.Absent:
		return jen.Add(raw).Op("==").Lit("")
	}
	return jen.Add(raw).Op("!=").Lit("")
}

func texts(list []descriptor.Str) (out []string) {
	for _, s := range list {
		out = append(out, s.Text)
	}
	return out
}

package stub

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
)

// hasWhere says whether any row of the harness has conditions on the payload.
func hasWhere(h *plan.Harness) bool {
	return slices.ContainsFunc(h.Events.External, func(r descriptor.ExternalRow) bool { return len(r.Where) > 0 })
}

// applies writes the function that tells whether a payload is the event that the host's hook was started for.
func applies(f *jen.File, h *plan.Harness) {
	if !hasWhere(h) {
		return
	}
	name := local(h, "Applies")
	f.Line()
	f.Commentf("%s says whether a payload is that event: %s uses some of its events for more than one thing.", name, h.Name.Text)
	f.Func().Id(name).Params(jen.Id("event").Qual(library, "Event"), jen.Id("in").Qual(library, "In")).Bool().BlockFunc(func(g *jen.Group) {
		g.Switch(jen.Id("event")).BlockFunc(func(g *jen.Group) {
			for _, b := range h.Bindings {
				if test := rowTest(h, string(b.Event)); test != nil {
					g.Case(jen.Qual(library, string(b.Event))).Block(jen.Return(test))
				}
			}
		})
		g.Return(jen.True())
	})
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

// rowTest joins the rows of one event by or, and a row's conditions by and; nil when one row takes everything.
func rowTest(h *plan.Harness, event string) jen.Code {
	var alternatives []jen.Code
	for _, r := range h.Events.External {
		if r.Event.Text != event {
			continue
		}
		if len(r.Where) == 0 {
			return nil
		}
		alternatives = append(alternatives, allOf(r.Where))
	}
	return joined(alternatives, "||")
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

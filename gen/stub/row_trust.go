package stub

import (
	"github.com/dave/jennifer/jen"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

func trustSeen(t *descriptor.Trust) jen.Code {
	seen := plan.TrustSeen(t)
	if seen == nil {
		return nil
	}
	var f fields
	f.add("File", jen.Lit(seen.File))
	if len(seen.Where) > 0 {
		f.add("Where", predicateRows(seen.Where))
	}
	return jen.Op("&").Qual(library, "TrustSeen").Values(f.end()...)
}

// predicateRow is a condition that an engine tests, not straight-line code: it is asked once, by a person.
func predicateRow(p harness.Predicate) jen.Dict {
	d := jen.Dict{jen.Id("Key"): jen.Lit(p.Key)}
	switch {
	case p.In != nil:
		d[jen.Id("In")] = stringList(p.In)
	case p.NotIn != nil:
		d[jen.Id("NotIn")] = stringList(p.NotIn)
	case p.Match != "":
		d[jen.Id("Match")] = jen.Lit(p.Match)
	case p.Absent:
		d[jen.Id("Absent")] = jen.True()
	default:
		d[jen.Id("Present")] = jen.True()
	}
	return d
}

func trustAsk(t *descriptor.Trust) jen.Code {
	if t == nil || t.Ask == nil {
		return nil
	}
	a := t.Ask
	var f fields
	f.add("Argv", stringList(plan.Texts(a.Argv)))
	if len(a.Open) > 0 {
		var open []jen.Code
		for _, m := range a.Open {
			open = append(open, jen.Line().Values(rpc(m)))
		}
		f.add("Open", jen.Index().Qual(library, "RPC").Values(append(open, jen.Line())...))
	}
	f.add("List", jen.Qual(library, "RPC").Values(rpc(a.List)))
	f.add("Items", jen.Lit(a.Items.Text))
	f.add("Command", jen.Lit(a.Command.Text))
	f.add("Key", jen.Lit(a.Key.Text))
	f.add("Hash", jen.Lit(a.Hash.Text))
	f.add("Trusted", predicateRows(plan.Predicates(a.Trusted)))
	f.add("Grant", jen.Lit(plan.JSON(a.Grant, "")))
	f.add("Write", jen.Qual(library, "RPC").Values(rpc(a.Write)))
	return jen.Op("&").Qual(library, "TrustAsk").Values(f.end()...)
}

func rpc(m descriptor.RPC) jen.Dict {
	d := jen.Dict{jen.Id("Method"): jen.Lit(m.Method.Text)}
	if m.Params.Set() {
		d[jen.Id("Params")] = jen.Lit(plan.JSON(m.Params, ""))
	}
	if m.Notify {
		d[jen.Id("Notify")] = jen.True()
	}
	return d
}

func predicateRows(list []harness.Predicate) jen.Code {
	var rows []jen.Code
	for _, p := range list {
		rows = append(rows, jen.Line().Values(predicateRow(p)))
	}
	return jen.Index().Qual(library, "Predicate").Values(append(rows, jen.Line())...)
}

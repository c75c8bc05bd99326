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
		var rows []jen.Code
		for _, p := range seen.Where {
			rows = append(rows, jen.Line().Values(predicateRow(p)))
		}
		f.add("Where", jen.Index().Qual(library, "Predicate").Values(append(rows, jen.Line())...))
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

package stub

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// answer writes the function that says a verdict in the host's own tongue, and one function for each template it uses.
func answer(f *jen.File, h *plan.Harness) {
	name := local(h, "Answer")
	f.Line()
	f.Commentf("%s says a verdict in %s's own tongue. What it has no words for is an empty answer.", name, h.Name.Text)
	f.Func().Id(name).Params(jen.Id("event").Qual(library, "Event"), jen.Id("v").Qual(library, "Verdict")).Qual(library, "Reply").BlockFunc(func(g *jen.Group) {
		if len(h.Events.External) > 0 {
			g.Switch(jen.Id("event")).BlockFunc(func(g *jen.Group) { answerCases(g, h) })
		}
		g.Return(jen.Qual(library, "Reply").Values())
	})
	for _, a := range h.Answers {
		template(f, h, a.Key, a.Value)
	}
}

// answerCases writes one case for all events that are answered alike.
func answerCases(g *jen.Group, h *plan.Harness) {
	type alike struct {
		row    descriptor.ExternalRow
		events []jen.Code
	}
	var cases []alike
	for _, b := range h.Bindings {
		r := rowOf(h, b.Event)
		if len(r.Answer) == 0 {
			continue
		}
		i := slices.IndexFunc(cases, func(c alike) bool { return !usesHost(h, r) && slices.Equal(answersOf(c.row), answersOf(r)) })
		if i < 0 {
			cases = append(cases, alike{row: r})
			i = len(cases) - 1
		}
		cases[i].events = append(cases[i].events, jen.Qual(library, string(b.Event)))
	}
	for _, c := range cases {
		g.Case(c.events...).BlockFunc(func(g *jen.Group) { answerCase(g, h, c.row) })
	}
}

// rowOf is the first row of an event; of several, all are answered as it is.
func rowOf(h *plan.Harness, event harness.Event) descriptor.ExternalRow {
	i := slices.IndexFunc(h.Events.External, func(r descriptor.ExternalRow) bool { return r.Event.Text == string(event) })
	return h.Events.External[i]
}

func answersOf(r descriptor.ExternalRow) (out []string) {
	for _, a := range r.Answer {
		out = append(out, a.Key+"="+a.Value.Text)
	}
	return out
}

func answerCase(g *jen.Group, h *plan.Harness, r descriptor.ExternalRow) {
	if len(r.Answer) > 1 {
		g.Var().Id("r").Qual(library, "Reply")
	}
	for _, c := range conditions() {
		name, ok := r.Answer.Get(string(c.effect))
		if !ok {
			continue
		}
		said := jen.Id(templateName(h, name.Text)).Call(arguments(h, name.Text, r)...)
		if len(r.Answer) > 1 {
			g.If(c.holds).Block(jen.Id("r").Op("=").Id("r").Dot("And").Call(said))
		} else {
			g.If(c.holds).Block(jen.Return(said))
		}
	}
	if len(r.Answer) > 1 {
		g.Return(jen.Id("r"))
	}
}

// conditions say when an effect is asked for, in the order in which several are said; of a contradiction the first holds.
func conditions() []condition {
	return []condition{
		{harness.Block, jen.Id("v").Dot("Blocked")},
		{harness.Ask, jen.Id("v").Dot("Ask")},
		{harness.Allow, jen.Id("v").Dot("Allow")},
		{harness.RewriteInput, jen.Id("v").Dot("Input").Op("!=").Lit("")},
		{harness.RewriteOutput, jen.Id("v").Dot("Output").Op("!=").Lit("")},
		{harness.Context, jen.Id("v").Dot("Context").Op("!=").Lit("")},
		{harness.StopAgent, jen.Id("v").Dot("Stop")},
		{harness.Notify, jen.Id("v").Dot("Notice").Op("!=").Lit("")},
		{harness.Env, jen.Id("v").Dot("Env").Op("!=").Lit("")},
	}
}

type condition struct {
	effect harness.Effect
	holds  jen.Code
}

func templateName(h *plan.Harness, answer string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(answer, func(r rune) bool { return r == '_' || r == '-' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return local(h, "Says"+b.String())
}

// parameter is a value that a template may use, and where a case gets it from.
type parameter struct {
	token string
	name  string
	typ   *jen.Statement
	from  func(descriptor.ExternalRow) jen.Code
}

func parameters() []parameter {
	return []parameter{
		{"{host_event}", "host", jen.String(), func(r descriptor.ExternalRow) jen.Code { return jen.Lit(r.Host.Text) }},
		{"{event}", "event", jen.Qual(library, "Event"), func(descriptor.ExternalRow) jen.Code { return jen.Id("event") }},
		{"{reason}", "reason", jen.String(), func(descriptor.ExternalRow) jen.Code { return jen.Id("v").Dot("Reason") }},
		{"{input}", "input", jen.String(), func(descriptor.ExternalRow) jen.Code { return jen.Id("v").Dot("Input") }},
		{"{output}", "output", jen.String(), func(descriptor.ExternalRow) jen.Code { return jen.Id("v").Dot("Output") }},
		{"{result}", "result", jen.String(), func(descriptor.ExternalRow) jen.Code { return jen.Id("v").Dot("Result").Call() }},
		{"{why}", "why", jen.String(), func(descriptor.ExternalRow) jen.Code { return jen.Id("v").Dot("Why") }},
		{"{notice}", "notice", jen.String(), func(descriptor.ExternalRow) jen.Code { return jen.Id("v").Dot("Notice") }},
		{"{env}", "env", jen.String(), func(descriptor.ExternalRow) jen.Code { return jen.Id("v").Dot("Env") }},
		{"{context}", "context", jen.String(), func(descriptor.ExternalRow) jen.Code { return jen.Id("v").Dot("Context") }},
	}
}

// used returns the parameters that a template needs.
func used(a descriptor.Answer) (out []parameter) {
	for _, p := range parameters() {
		if slices.ContainsFunc(forms(a), func(f descriptor.Form) bool {
			return formUses(f, p.token) || p.name == "output" && formUses(f, "{output_text}")
		}) {
			out = append(out, p)
		}
	}
	return out
}

func forms(a descriptor.Answer) []descriptor.Form {
	out := []descriptor.Form{a.Default}
	for _, e := range a.OS {
		out = append(out, e.Value)
	}
	return out
}

func formUses(f descriptor.Form, token string) bool {
	found := false
	for _, said := range []descriptor.Tree{f.Stdout, f.Stderr} {
		said.Walk(func(t strictyaml.Tree) {
			found = found || t.Kind == strictyaml.String && strings.Contains(t.Text, token)
		})
	}
	return found
}

func usesHost(h *plan.Harness, r descriptor.ExternalRow) bool {
	return slices.ContainsFunc(r.Answer, func(e strictyaml.Entry[descriptor.Str]) bool {
		a, _ := h.Answers.Get(e.Value.Text)
		return slices.ContainsFunc(used(a), func(p parameter) bool { return p.name == "host" })
	})
}

func arguments(h *plan.Harness, name string, r descriptor.ExternalRow) (out []jen.Code) {
	a, _ := h.Answers.Get(name)
	for _, p := range used(a) {
		out = append(out, p.from(r))
	}
	return out
}

// template writes the function of one named answer.
func template(f *jen.File, h *plan.Harness, name string, a descriptor.Answer) {
	var params []jen.Code
	for _, p := range used(a) {
		params = append(params, jen.Id(p.name).Add(p.typ.Clone()))
	}
	f.Line()
	f.Commentf("%s is the answer %q of the descriptor.", templateName(h, name), name)
	f.Func().Id(templateName(h, name)).Params(params...).Qual(library, "Reply").BlockFunc(func(g *jen.Group) {
		if len(a.OS) > 0 {
			g.Switch(jen.Qual("runtime", "GOOS")).BlockFunc(func(g *jen.Group) {
				for _, e := range a.OS {
					g.Case(jen.Lit(e.Key)).Block(jen.Return(reply(e.Value)))
				}
			})
		}
		g.Return(reply(a.Default))
	})
}

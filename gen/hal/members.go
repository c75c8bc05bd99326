package hal

import "github.com/dave/jennifer/jen"

// members are those of a struct literal; what is empty is left out.
type members []jen.Code

func (m *members) add(name string, value jen.Code) { *m = append(*m, jen.Id(name).Op(":").Add(value)) }

func (m *members) text(name, value string) {
	if value != "" {
		m.add(name, jen.Lit(value))
	}
}

func (m *members) yes(name string, value bool) {
	if value {
		m.add(name, jen.True())
	}
}

func (m *members) texts(name string, values []string) {
	if len(values) == 0 {
		return
	}
	m.add(name, jen.Index().String().ValuesFunc(func(g *jen.Group) {
		for _, v := range values {
			g.Lit(v)
		}
	}))
}

// lines puts each member on a line of its own.
func (m members) lines() (out []jen.Code) {
	for _, x := range m {
		out = append(out, jen.Line().Add(x))
	}
	return append(out, jen.Line())
}

// each adds a list of structs, one a line; a long one takes a line for each of its members.
func each[T any](m *members, name, typ string, list []T, of func(T) members) {
	if len(list) == 0 {
		return
	}
	m.add(name, jen.Index().Qual(library, typ).ValuesFunc(func(g *jen.Group) {
		for _, x := range list {
			if of := of(x); len(of) > 4 {
				g.Line().Values(of.lines()...)
			} else {
				g.Line().Values(of...)
			}
		}
		g.Line()
	}))
}

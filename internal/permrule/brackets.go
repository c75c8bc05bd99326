package permrule

import (
	"maps"
	"strings"
)

// A list in round brackets runs in a shell of its own. Claude's reader knows in it what was known before it, and behind it as well,
// but for what the list makes of variables that were not there.

// group is such a list.
type group struct {
	statements int
	open       int      // compound commands that have not ended: a ; in one of them is not the list's own
	assigns    bool     // a command of it is nothing but an assignment
	redirects  bool     // something in it is redirected
	touched    []string // variables that commands of it set
}

// brackets reads a list in round brackets, behind the first one.
func (p *shell) brackets() {
	outer, vars, tangled, before := p.group, maps.Clone(p.vars), p.tangled, len(p.commands)
	lost, chained, loops := p.lost, p.chained, p.loops
	g := &group{}
	p.group = g
	p.list(')')
	p.group = outer
	for name := range p.vars {
		if _, ok := vars[name]; !ok {
			vars[name] = variable{set: true}
		}
	}
	if g.statements > 1 {
		for _, name := range g.touched {
			vars[name] = variable{set: true}
		}
	}
	p.vars, p.tangled, p.settled = vars, tangled, true
	p.lost, p.chained, p.loops = lost, chained, loops
	if len(p.commands) == before && g.assigns && !g.redirects {
		p.commands = append(p.commands, "true") // which is what Claude takes an assignment in brackets for
	}
}

// statement notes a command of the list.
func (g *group) statement(words []word) {
	if g == nil {
		return
	}
	g.statements++
	if len(words) == 0 {
		return
	}
	switch words[0].text {
	case "if", "while", "until", "for":
		g.open++
	case "fi", "done":
		g.open--
	}
}

// divided says whether a ; or & that was just read parts the list itself: Claude does not follow that.
func (g *group) divided() bool { return g != nil && g.open <= 0 }

// odd says whether these assignments are none that Claude follows in brackets.
func (g *group) odd(words []word) bool {
	if g == nil {
		return false
	}
	g.assigns = true
	return len(words) > 1 || strings.Contains(words[0].text, "=~")
}

// touch notes variables that a command of the list sets.
func (g *group) touch(names ...string) {
	if g != nil {
		g.touched = append(g.touched, names...)
	}
}

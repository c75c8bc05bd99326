package permrule

import (
	"slices"
	"strings"
)

// Claude's reader knows the value of a variable that the same line sets once and for certain, and of HOME. A variable that it
// does not know may be an argument, as a word without quotes; everywhere else the line counts as one that it cannot follow.

// variable is what is known of one.
type variable struct {
	value string
	known bool
	set   bool // by the line
}

// variable reads a parameter behind its $, and puts its value into the word when that is certain.
func (p *shell) variable(c *command, quoted bool) {
	start := p.at - 1
	for p.at < len(p.text) && isNameByte(p.text[p.at], p.at-start-1) {
		p.at++
	}
	name := p.text[start+1 : p.at]
	if name == "" {
		p.special(c, quoted)
		return
	}
	v, ok := p.vars[name]
	switch {
	case c.drop, ok && !v.known, ok && v.set && (p.lost || p.loops > 0): // where to is not known, nor what it is
		p.unsure = true
	case ok:
		c.add(v.value, false)
		c.word.told = true
	default:
		p.unsure = p.unsure || quoted
		c.add("$"+name, false)
		c.word.live = true
	}
}

func isNameByte(ch byte, n int) bool {
	letter := ch == '_' || ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z'
	return letter || n > 0 && ch >= '0' && ch <= '9'
}

// special is a parameter of one character, such as $? or $1; a $ before anything else is itself.
func (p *shell) special(c *command, quoted bool) {
	if p.at == len(p.text) || strings.IndexByte("0123456789@*#?$!-", p.text[p.at]) < 0 {
		c.add("$", false)
		return
	}
	p.unsure = p.unsure || quoted || c.drop
	c.add(p.text[p.at-1:p.at+1], false)
	c.word.live = true
	p.at++
}

// assign notes what a command of assignments alone sets.
func (p *shell) assign(words []word) {
	p.set++
	for _, w := range words {
		m := assignment.Re().FindStringSubmatch(w.text)
		name, value := m[1], m[3]
		_, before := p.vars[name]
		known := !before && m[2] == "" && !w.live && !w.ran && !p.tangled && !p.settled && value != "" && !strings.ContainsAny(value, " \t\n*?[")
		p.vars[name] = variable{value: value, known: known, set: true}
	}
}

// lose notes that words may be names of variables which are another thing from here on.
func (p *shell) lose(names []word) {
	for _, w := range names {
		name, _, _ := strings.Cut(strings.TrimPrefix(w.text, "-v"), "=")
		name = strings.TrimSuffix(name, "+")
		p.group.touch(name)
		p.vars[name] = variable{set: true}
	}
}

// setters are commands that set variables.
var setters = []string{"declare", "local", "readonly", "typeset", "read", "printf", "unset", "getopts", "mapfile", "readarray", "let", "source", ".", "eval"}

// hidden are those of them that do not name the variables as words.
var hidden = []string{"getopts", "let", "eval"}

// variesWith says whether a command does something with a variable that is not known, beside passing it on; and notes what
// it does with those that are.
func (p *shell) variesWith(words []word, assigned bool) bool {
	name := words[0].text
	if slices.Contains(setters, name) {
		p.tangled = true
		p.lost = p.lost || slices.Contains(hidden, name)
		p.lose(words[1:])
	}
	if name == "export" {
		for _, w := range words[1:] {
			if m := assignment.Re().FindStringSubmatch(w.text); m != nil {
				p.group.touch(m[1])
				p.assign([]word{w})
			}
		}
	}
	live := slices.ContainsFunc(words[1:], func(w word) bool { return w.live })
	return live && (assigned || !slices.Contains(passers, name))
}

// passers are commands that were seen to be followed when an argument is not known. Interpreters and what starts other
// programs are not among them.
var passers = []string{"cat", "cd", "cp", "echo", "git", "grep", "ls", "mkdir", "rm", "true"}

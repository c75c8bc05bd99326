package permrule

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// commandsOf takes a shell line apart: one text for each simple command, without quotes, redirections and assignments before
// it, its words joined by one space. sure is false when the line has something in it that this reader, or Claude's own, does
// not follow. exact is false when a word of the one command will be another text than is known here. home is the user's, "" =
// unknown.
func commandsOf(line, home string) (commands []string, exact, sure bool) {
	p := &shell{text: line, vars: map[string]variable{"HOME": {value: home, known: home != ""}}}
	p.unsure = strings.ContainsFunc(line, strange)
	p.list(0)
	return p.commands, !p.vague, !p.unsure && !(p.open && p.tangled) && !(p.vague && p.several)
}

// strange is what a shell and a reader may see differently.
func strange(r rune) bool {
	const zeroWidth, mark = '\u200b', '\ufeff' // blanks to Claude's reader
	return r != ' ' && r != '\t' && r != '\n' && r != '\r' && (unicode.IsSpace(r) || unicode.IsControl(r) || r == zeroWidth || r == mark)
}

// shell is a reader of one line.
type shell struct {
	text     string
	at       int
	depth    int
	commands []string
	vars     map[string]variable
	unsure   bool
	open     bool // a ' has no end, so the last word is all that follows
	vague    bool // an argument is not known
	several  bool // there are several commands, or one in brackets
	// tangled: something stands before that may or may not run, or runs elsewhere; from here on no value of a variable is
	// certain.
	tangled bool
	lost    bool   // something stands before behind which Claude follows no variable that the line set
	chained bool   // a || stands before the command that is being read
	loops   int    // that have not ended
	group   *group // the innermost list in brackets that is being read; nil = none
	settled bool   // a command stands before: what is assigned behind it is not known
	set     int    // how many commands were assignments
}

// command is a simple command that is being read.
type command struct {
	words []word
	word  word
	text  strings.Builder // of word
	plain strings.Builder // what of it is not quoted
	begun bool            // word has
	drop  bool            // the next word is a redirection's
	group bool            // it is a list in brackets
	empty bool            // an operator stands before it, and it must not be empty
	later bool            // it is not the first of its list
	named bool            // there was one with a name before
	piped bool            // a | stands before it
}

// word is one word of a command, without quotes.
type word struct {
	text string
	live bool // what it will be is not known here
	ran  bool // it holds what another command prints
	told bool // it holds the value of a variable
}

const maxShellDepth = 50

// list reads commands up to the closing character, 0 = the end of the text.
func (p *shell) list(closing byte) {
	if p.depth++; p.depth > maxShellDepth {
		p.unsure = true
	}
	defer func() { p.depth-- }()
	var c command
	for !p.unsure && p.at < len(p.text) {
		ch := p.text[p.at]
		if closing != 0 && ch == closing {
			p.at++
			p.end(&c, true)
			return
		}
		p.at++
		p.char(&c, ch)
	}
	p.unsure = p.unsure || closing != 0
	p.end(&c, true)
}

func (p *shell) char(c *command, ch byte) {
	switch ch {
	case ' ', '\t', '\r':
		p.flush(c)
	case '\n':
		if p.end(c, false) {
			p.lost, p.chained = p.lost || p.chained, false
		}
	case ';', '|', '&':
		p.operator(c, ch)
	case '(':
		if c.begun || len(beyond(c.words)) > 0 || p.next('(') { // a function, or arithmetic
			p.unsure = true
			return
		}
		p.brackets()
		c.group, p.several = true, true
	case ')':
		p.unsure = true // a pattern of case
	case '#':
		if c.begun {
			c.add("#", true)
			return
		}
		for p.at < len(p.text) && p.text[p.at] != '\n' {
			p.at++
		}
	case '<', '>':
		p.redirection(c, ch)
	default:
		p.inWord(c, ch)
	}
}

func (p *shell) next(ch byte) bool { return p.at < len(p.text) && p.text[p.at] == ch }

// operator ends a command. Both sides of && || | must be there.
func (p *shell) operator(c *command, ch byte) {
	if ch == '&' && p.next('>') { // both streams
		p.flush(c)
		p.tangled = true
		return
	}
	and, or := ch == '&' && p.next('&'), ch == '|' && p.next('|')
	pipe := ch == '|' && !or
	joins := and || or || pipe
	if and || or || pipe && p.next('&') {
		p.at++
	}
	background := ch == '&' && !and
	p.tangled = p.tangled || or || background
	p.lost, p.chained = p.lost || p.chained || background, false
	first, set := !c.later, p.set
	scope := p.scope(pipe)
	if !p.end(c, joins) && (joins || first) || !joins && p.group.divided() {
		p.unsure = true
	}
	p.tangled = p.tangled || pipe && p.set > set // it runs elsewhere
	scope()
	p.chained = or
	c.empty, c.piped = joins, pipe
}

// redirection: a number before it belongs to it, and the word behind it.
func (p *shell) redirection(c *command, ch byte) {
	p.tangled = true
	p.unsure = p.unsure || c.group // Claude does not follow a list in brackets that is redirected as a whole
	if p.group != nil {
		p.group.redirects = true
	}
	here := strings.HasPrefix(p.text[p.at-1:], "<<<")
	if p.next('(') || ch == '<' && p.next('<') && !here {
		p.unsure = true // a process, or text that follows
		return
	}
	chosen := c.begun && strings.HasSuffix(c.plain.String(), "}")
	if strings.Trim(c.text.String(), "0123456789") == "" {
		c.forget()
	}
	p.flush(c)
	for p.at < len(p.text) && strings.IndexByte("<>&|", p.text[p.at]) >= 0 {
		p.at++
	}
	// Claude does not follow what is closed, what is opened both ways, and a number that the shell chooses.
	p.unsure = p.unsure || p.text[p.at-1] == '&' && p.next('-') || strings.HasSuffix(p.text[:p.at], "<>") || chosen
	c.drop = true
}

var (
	before     = []string{"if", "then", "elif", "else", "while", "until", "do", "!", "fi", "done"}
	unreadable = []string{"{", "}", "case", "esac", "select", "function", "[[", "coproc"}
	assignment = lazyre.Pattern{Expr: `^([A-Za-z_][A-Za-z0-9_]*)(\+?)=(?s:(.*))$`}
	element    = lazyre.Pattern{Expr: `^[A-Za-z_][A-Za-z0-9_]*\[.*=`}
	parameter  = lazyre.Pattern{Expr: `^\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])$`}
)

// end ends a command, and says whether there was one. needed: what follows it needs one.
func (p *shell) end(c *command, needed bool) bool {
	p.flush(c)
	words, there := c.words, len(c.words) > 0 || c.group
	p.unsure = p.unsure || c.empty && needed && !there || c.group && len(beyond(c.words)) > 0
	if there {
		p.group.statement(words)
	}
	named, piped, set := c.named, c.piped, p.set
	*c = command{empty: c.empty && !there, later: c.later || there, named: named}
	rest := beyond(words)
	p.tangled = p.tangled || len(rest) < len(words)
	for _, w := range words[:len(words)-len(rest)] {
		p.loop(w.text)
	}
	words = rest
	n := 0
	for n < len(words) && assignment.Re().MatchString(words[n].text) {
		n++
	}
	switch {
	case len(words) == 0, words[0].text == "[":
	case words[0].text == "for":
		p.tangled = true
		p.loop("for")
		p.lose(words[1:])
	case n == len(words):
		p.unsure = p.unsure || p.group.odd(words)
		p.assign(words)
	case element.Re().MatchString(words[n].text):
		p.unsure = true
	default:
		p.several, c.named = p.several || named, true
		p.simple(words[n:], n > 0)
	}
	elsewhere := piped && p.set > set
	p.tangled, p.lost = p.tangled || elsewhere, p.lost || elsewhere
	return there
}

// scope returns what puts the variables back that a command before a | sets: it has no effect behind it. One that was not there
// is not known from then on.
func (p *shell) scope(piped bool) (leave func()) {
	if !piped {
		return func() {}
	}
	vars, lost := maps.Clone(p.vars), p.lost
	return func() {
		for name := range p.vars {
			if _, ok := vars[name]; !ok {
				vars[name] = variable{set: true}
			}
		}
		p.vars, p.lost = vars, lost
	}
}

// loop counts the loops that have begun and not ended: what is in one runs again, when the line may have set what it did not before.
func (p *shell) loop(word string) {
	switch word {
	case "while", "until", "for":
		p.loops++
	case "done":
		p.loops--
	}
}

// beyond are the words behind those that stand before a command.
func beyond(words []word) []word {
	for len(words) > 0 && slices.Contains(before, words[0].text) {
		words = words[1:]
	}
	return words
}

// isTest: a test of one thing is followed, like any command; one of more may hold operators of its own, which
// are no redirections.
func isTest(words []word) bool {
	return len(words) == 4 && words[0].text == "[[" && strings.HasPrefix(words[1].text, "-") && words[3].text == "]]"
}

// simple notes a command that has a name, and what xargs without options runs.
func (p *shell) simple(words []word, assigned bool) {
	unknown := func(w word) bool { return w.live || w.ran }
	if name := words[0]; unknown(name) || name.told && slices.ContainsFunc(words, unknown) || slices.Contains(unreadable, name.text) && (p.tangled || !isTest(words)) || p.variesWith(words, assigned) {
		p.unsure = true
		return
	}
	p.settled = true
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
		p.vague = p.vague || w.live || w.ran
	}
	p.commands = append(p.commands, strings.Join(texts, " "))
	if texts[0] == "xargs" && len(texts) > 1 && !strings.HasPrefix(texts[1], "-") {
		p.commands = append(p.commands, strings.Join(texts[1:], " "))
	}
}

package permrule

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// commandsOf takes a shell line apart: one text for each simple command, without quotes and redirections, its words joined by
// one space; a command behind assignments also without them. sure is false when the line has something in it that this reader
// does not follow.
func commandsOf(line string) (commands []string, sure bool) {
	p := &shell{text: line}
	p.list(0)
	return p.commands, !p.unsure
}

// shell is a reader of one line.
type shell struct {
	text     string
	at       int
	depth    int
	commands []string
	unsure   bool
}

// command is a simple command that is being read.
type command struct {
	words []string
	live  []bool // of each word: it holds an expansion
	word  strings.Builder
	open  bool // a word has begun
	alive bool // it holds an expansion
	drop  bool // the next word is a redirection's
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
			p.end(&c)
			return
		}
		p.at++
		p.char(&c, ch)
	}
	p.unsure = p.unsure || closing != 0
	p.end(&c)
}

func (p *shell) char(c *command, ch byte) {
	switch ch {
	case ' ', '\t':
		c.flush()
	case '\n', ';', '|', '&':
		if ch == '&' && p.next('>') { // both streams
			c.flush()
			return
		}
		p.end(c)
	case '(':
		if c.open || len(c.words) > 0 { // a function
			p.unsure = true
			return
		}
		p.list(')')
	case ')':
		p.unsure = true // a pattern of case
	case '#':
		if c.open {
			c.add("#")
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

// redirection: a number before it belongs to it, and the word behind it.
func (p *shell) redirection(c *command, ch byte) {
	if p.next('(') || ch == '<' && p.next('<') {
		p.unsure = true // a process, or text that follows
		return
	}
	if strings.Trim(c.word.String(), "0123456789") == "" {
		c.word.Reset()
		c.open = false
	}
	c.flush()
	for p.at < len(p.text) && strings.IndexByte("<>&|", p.text[p.at]) >= 0 {
		p.at++
	}
	c.drop = true
}

func (p *shell) inWord(c *command, ch byte) {
	switch ch {
	case '\\':
		if p.at < len(p.text) {
			if p.text[p.at] != '\n' {
				c.add(p.text[p.at : p.at+1])
			}
			p.at++
		}
	case '\'':
		n := strings.IndexByte(p.text[p.at:], '\'')
		if n < 0 {
			p.unsure = true
			return
		}
		c.add(p.text[p.at : p.at+n])
		p.at += n + 1
	case '"':
		p.quoted(c)
	case '`', '$':
		p.expansion(c, ch, false)
	default:
		c.add(string([]byte{ch}))
	}
}

func (p *shell) quoted(c *command) {
	c.add("")
	for !p.unsure && p.at < len(p.text) {
		ch := p.text[p.at]
		p.at++
		switch {
		case ch == '"':
			return
		case ch == '\\' && p.at < len(p.text):
			c.add(p.text[p.at : p.at+1])
			p.at++
		case ch == '`' || ch == '$':
			p.expansion(c, ch, true)
		default:
			c.add(string([]byte{ch}))
		}
	}
	p.unsure = true
}

// expansion: what a substitution runs are commands too. The word keeps the text as it stands.
func (p *shell) expansion(c *command, ch byte, quoted bool) {
	start := p.at - 1
	switch {
	case ch == '`':
		p.list('`')
	case strings.HasPrefix(p.text[p.at:], "(("):
		n := strings.Index(p.text[p.at:], "))")
		if n < 0 || strings.ContainsAny(p.text[p.at:p.at+n], "$`") {
			p.unsure = true
			return
		}
		p.at += n + 2
	case p.next('('):
		p.at++
		p.list(')')
	case p.next('{'), p.next('\'') && !quoted, p.next('"') && !quoted:
		p.unsure = true
		return
	}
	c.add(p.text[start:p.at])
	c.alive = true
}

func (c *command) add(text string) {
	c.word.WriteString(text)
	c.open = true
}

// flush ends a word.
func (c *command) flush() {
	if c.open && !c.drop {
		c.words, c.live = append(c.words, c.word.String()), append(c.live, c.alive)
	}
	if c.open {
		c.drop = false
	}
	c.word.Reset()
	c.open, c.alive = false, false
}

var (
	before     = strings.Fields("if then elif else while until do ! fi done")
	unreadable = strings.Fields("{ } case esac select function [[ coproc xargs")
	// compiled when a line is read: every dispatch would wait for it otherwise
	assignment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\+?=`) })
)

// end ends a command.
func (p *shell) end(c *command) {
	c.flush()
	words, live := c.words, c.live
	*c = command{}
	for len(words) > 0 && slices.Contains(before, words[0]) {
		words, live = words[1:], live[1:]
	}
	n := 0
	for n < len(words) && assignment().MatchString(words[n]) {
		n++
	}
	switch {
	case len(words) == 0 || words[0] == "for":
		return
	case n < len(words) && (live[n] || slices.Contains(unreadable, words[n])):
		p.unsure = true
		return
	case n > 0 && n < len(words):
		p.commands = append(p.commands, strings.Join(words[n:], " "))
	}
	p.commands = append(p.commands, strings.Join(words, " "))
}

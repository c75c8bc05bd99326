package permrule

import "strings"

// Words: quotes, escapes, and what the shell puts in the place of what stands there.

// unknown is text that is not known to the letter, so that no pattern says it but by a *.
const unknown = "\x00"

func (p *shell) inWord(c *command, ch byte) {
	switch ch {
	case '\\':
		p.escaped(c)
	case '\'':
		n := strings.IndexByte(p.text[p.at:], '\'')
		if n < 0 {
			p.open = true
			c.add(p.text[p.at:]+unknown, false)
			p.at = len(p.text)
			return
		}
		c.add(p.text[p.at:p.at+n], false)
		p.at += n + 1
	case '"':
		p.quoted(c)
	case '`', '$':
		p.expansion(c, ch, false)
	default:
		c.add(string([]byte{ch}), true)
	}
}

// escaped: a line's end between words is nothing; in one, or with a blank, Claude does not follow.
func (p *shell) escaped(c *command) {
	if p.at == len(p.text) {
		p.unsure = true
		return
	}
	switch ch := p.text[p.at]; {
	case ch == '\n' && !c.begun:
	case ch == '\n', ch == ' ', ch == '\t':
		p.unsure = true
	default:
		c.add(string([]byte{ch}), true)
	}
	p.at++
}

func (p *shell) quoted(c *command) {
	c.add("", false)
	for !p.unsure && p.at < len(p.text) {
		ch := p.text[p.at]
		p.at++
		switch {
		case ch == '"':
			return
		case ch == '\\' && p.at < len(p.text):
			c.add(p.text[p.at:p.at+1], false)
			p.at++
		case ch == '`' || ch == '$':
			p.expansion(c, ch, true)
		default:
			c.add(string([]byte{ch}), false)
		}
	}
	p.unsure = true
}

// expansion: what a substitution runs are commands too. The word keeps the text as it stands.
func (p *shell) expansion(c *command, ch byte, quoted bool) {
	start := p.at - 1
	switch {
	case ch == '`':
		p.substitution('`')
	case strings.HasPrefix(p.text[p.at:], "(("):
		n := strings.Index(p.text[p.at:], "))")
		if n < 0 || quoted || strings.Trim(p.text[p.at+2:p.at+n], "0123456789+-*/% ") != "" {
			p.unsure = true
			return
		}
		c.add(p.text[start:p.at+n+2], false)
		p.at += n + 2
		p.unsure = p.unsure || c.drop
		return
	case p.next('('):
		p.at++
		p.substitution(')')
	case p.next('{'), p.next('\'') && !quoted, p.next('"') && !quoted:
		p.unsure = true
		return
	default:
		p.variable(c, quoted)
		return
	}
	c.add(p.text[start:p.at], false)
	c.word.ran = true
	if c.drop {
		p.unsure = true // where to is not known
	}
}

// substitution reads what runs for its output alone. Claude does not follow one that sets variables.
func (p *shell) substitution(closing byte) {
	outer, set := p.group, p.set
	p.group, p.tangled, p.lost = nil, true, true
	p.list(closing)
	p.group = outer
	p.unsure = p.unsure || p.set > set
}

// add adds text to the word; plain text is not quoted.
func (c *command) add(text string, plain bool) {
	c.text.WriteString(text)
	if plain {
		c.plain.WriteString(text)
	}
	c.begun = true
}

func (c *command) forget() {
	c.text.Reset()
	c.plain.Reset()
	c.word, c.begun = word{}, false
}

// flush ends a word.
func (p *shell) flush(c *command) {
	if !c.begun {
		return
	}
	c.word.text = c.text.String()
	// What is not known may stand for itself as a word of its own, and nowhere else.
	p.unsure = p.unsure || braces(c.plain.String()) || c.word.text == "=" || c.word.live && (c.drop || !parameter.Re().MatchString(c.word.text))
	if !c.drop {
		c.words = append(c.words, c.word)
	}
	c.drop = false
	c.forget()
}

// braces says whether the shell would make several words of this one.
func braces(plain string) bool {
	_, behind, found := strings.Cut(plain, "{")
	inside, _, closed := strings.Cut(behind, "}")
	return found && closed && (strings.Contains(inside, ",") || strings.Contains(inside, ".."))
}

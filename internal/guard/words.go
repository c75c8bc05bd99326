package guard

import "strings"

// word is one word of a command, without its quotes.
type word struct {
	text    string
	written bool // behind a >: a file that the shell writes to
	body    bool // a here-document: what the command reads
}

// command is a simple command. What a subshell does to its directory stays in it: scope says in which one it runs.
type command struct {
	words []word
	scope int
}

// parsed is a shell line, taken apart.
type parsed struct {
	commands []command
	parents  []int // of each scope; the line's own is 0
}

// maxScopes is how many subshells inside of subshells are told apart.
const maxScopes = 50

// parse takes a shell line apart into simple commands, those in substitutions too. It knows quotes, escapes, comments,
// redirections and here-documents, as much as it takes to tell what is run from what is talked about; it expands nothing.
func parse(line string) parsed {
	s := splitter{line: line, parents: []int{0}}
	s.until(0)
	return parsed{s.done, s.parents}
}

type splitter struct {
	line    string
	at      int
	text    []byte
	begun   bool // a word, which may be empty: ''
	to      bool // the next word is written to
	words   []word
	scope   int
	depth   int
	parents []int
	done    []command
	heres   []here
	inHere  bool // a substitution in a here-document, in which no other one is looked into: they could be without number
}

// until takes commands up to a character that ends them, and that one; 0 = to the end.
func (s *splitter) until(end byte) {
	for s.at < len(s.line) {
		if end != 0 && s.line[s.at] == end {
			s.at++
			break
		}
		s.step()
	}
	s.endCommand()
}

// step takes one character, or one quoted text.
func (s *splitter) step() {
	c := s.line[s.at]
	s.at++
	switch c {
	case ' ', '\t', '\r':
		s.endWord()
	case ';', '&', '|', ')':
		s.endCommand()
	case '\n':
		s.endCommand()
		s.takeHeres()
	case '(':
		s.endCommand()
		s.within(')')
	case '`':
		s.substitution('`')
	case '>':
		s.redirect()
	case '<':
		s.read()
	case '\\':
		if s.at < len(s.line) && s.line[s.at] != '\n' {
			s.add(s.line[s.at : s.at+1])
		}
		s.at++
	case '\'':
		text, _, _ := strings.Cut(s.line[s.at:], "'")
		s.add(text)
		s.at += len(text) + 1
	case '"':
		s.double()
	case '$':
		s.dollar()
	case '#':
		if !s.begun {
			s.comment()
			return
		}
		s.add("#")
	default:
		s.add(s.line[s.at-1 : s.at])
	}
}

func (s *splitter) add(text string) {
	s.text = append(s.text, text...)
	s.begun = true
}

func (s *splitter) comment() {
	if n := strings.IndexByte(s.line[s.at:], '\n'); n >= 0 {
		s.at += n
		return
	}
	s.at = len(s.line)
}

func (s *splitter) dollar() {
	if !strings.HasPrefix(s.line[s.at:], "(") {
		s.add("$")
		return
	}
	s.at++
	s.substitution(')')
}

// double takes what stands in double quotes.
func (s *splitter) double() {
	s.begun = true
	for s.at < len(s.line) {
		c := s.line[s.at]
		s.at++
		switch {
		case c == '"':
			return
		case c == '\\' && s.at < len(s.line):
			s.add(s.line[s.at : s.at+1])
			s.at++
		case c == '$':
			s.dollar()
		case c == '`':
			s.substitution('`')
		default:
			s.add(s.line[s.at-1 : s.at])
		}
	}
}

// standIn is what a command writes whose output is known; else "".
func standIn(command string) string {
	switch command {
	case "pwd":
		return "$PWD"
	case "git rev-parse --show-toplevel":
		return "$CLAUDE_PROJECT_DIR"
	}
	return ""
}

// substitution takes the commands of one, and goes on with the word that it stands in.
func (s *splitter) substitution(end byte) {
	s.begun = true
	text, words, to, from := s.text, s.words, s.to, s.at
	s.text, s.words, s.begun, s.to = nil, nil, false, false
	s.within(end)
	s.text, s.words, s.begun, s.to = text, words, true, to
	if inner := s.line[from:max(from, min(s.at, len(s.line))-1)]; len(inner) < 40 {
		s.add(standIn(strings.TrimSpace(inner)))
	}
}

// within takes the commands of a subshell.
func (s *splitter) within(end byte) {
	if s.depth >= maxScopes {
		return
	}
	outer := s.scope
	s.parents = append(s.parents, outer)
	s.scope = len(s.parents) - 1
	s.depth++
	s.until(end)
	s.depth--
	s.scope = outer
}

// redirect takes > and what may belong to it: >>, >|, >&1.
func (s *splitter) redirect() {
	if strings.Trim(string(s.text), "0123456789") == "" {
		s.text, s.begun = nil, false // a descriptor, not a word
	}
	s.endWord()
	for s.at < len(s.line) && strings.IndexByte(">|&", s.line[s.at]) >= 0 {
		s.at++
	}
	s.to = true
}

func (s *splitter) endWord() {
	if s.begun {
		s.words = append(s.words, word{text: string(s.text), written: s.to})
		s.text, s.begun, s.to = nil, false, false
	}
}

func (s *splitter) endCommand() {
	s.endWord()
	if len(s.words) > 0 {
		s.done = append(s.done, command{s.words, s.scope})
		for i := range s.heres {
			if s.heres[i].of < 0 {
				s.heres[i].of = len(s.done) - 1
			}
		}
	}
	s.words, s.to = nil, false
}

// texts are the words that are given to the program.
func texts(words []word) (all []string) {
	for _, w := range words {
		if !w.written && !w.body {
			all = append(all, w.text)
		}
	}
	return all
}

package guard

import "strings"

// word is one word of a command, without its quotes.
type word struct {
	text    string
	written bool // behind a >: a file that the shell writes to
}

// commands takes a shell line apart into simple commands, those in substitutions too. It knows quotes, escapes and
// redirections, as much as it takes to tell what is run from what is talked about; it expands nothing.
func commands(line string) [][]word {
	s := splitter{line: line}
	for s.at < len(line) {
		s.step()
	}
	s.endCommand()
	for _, inner := range s.inner {
		s.done = append(s.done, commands(inner)...)
	}
	return s.done
}

type splitter struct {
	line  string
	at    int
	text  strings.Builder
	begun bool // a word, which may be empty: ''
	to    bool // the next word is written to
	words []word
	done  [][]word
	inner []string // what stands in double quotes and may hold substitutions
}

// step takes one character, or one quoted text.
func (s *splitter) step() {
	c := s.line[s.at]
	s.at++
	switch c {
	case ' ', '\t', '\r':
		s.endWord()
	case ';', '&', '|', '\n', '(', ')', '`':
		s.endCommand()
	case '>':
		s.redirect()
	case '<':
		s.endWord()
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
		if !strings.HasPrefix(s.line[s.at:], "(") { // else the bracket begins a command
			s.add("$")
		}
	default:
		s.add(s.line[s.at-1 : s.at])
	}
}

func (s *splitter) add(text string) {
	s.text.WriteString(text)
	s.begun = true
}

// double takes what stands in double quotes.
func (s *splitter) double() {
	var text strings.Builder
	for ; s.at < len(s.line) && s.line[s.at] != '"'; s.at++ {
		if s.line[s.at] == '\\' && s.at+1 < len(s.line) {
			s.at++
		}
		text.WriteByte(s.line[s.at])
	}
	s.at++
	s.add(text.String())
	for _, opening := range []string{"$(", "`"} {
		if _, inner, ok := strings.Cut(text.String(), opening); ok {
			s.inner = append(s.inner, inner)
		}
	}
}

// redirect takes > and what may belong to it: >>, >|, >&1.
func (s *splitter) redirect() {
	if strings.Trim(s.text.String(), "0123456789") == "" {
		s.text.Reset() // a descriptor, not a word
		s.begun = false
	}
	s.endWord()
	for s.at < len(s.line) && strings.IndexByte(">|&", s.line[s.at]) >= 0 {
		s.at++
	}
	s.to = true
}

func (s *splitter) endWord() {
	if s.begun {
		s.words = append(s.words, word{s.text.String(), s.to})
		s.text.Reset()
		s.begun, s.to = false, false
	}
}

func (s *splitter) endCommand() {
	s.endWord()
	if len(s.words) > 0 {
		s.done = append(s.done, s.words)
	}
	s.words, s.to = nil, false
}

// texts are the words that are given to the program.
func texts(words []word) (all []string) {
	for _, w := range words {
		if !w.written {
			all = append(all, w.text)
		}
	}
	return all
}

package guard

import "strings"

// here is a here-document whose text is still to come.
type here struct {
	end    string
	tabs   bool // <<-: tabs in front do not count
	quoted bool // nothing in it is run
	of     int  // the command that reads it; -1 = the one that is being taken
}

// maxRun is how many substitutions in one here-document are looked at.
const maxRun = 20

// read takes < and what may belong to it. The text of a here-string is a word like any other.
func (s *splitter) read() {
	s.endWord()
	switch rest := s.line[s.at:]; {
	case strings.HasPrefix(rest, "<<"):
		s.at += 2
	case strings.HasPrefix(rest, "<"):
		s.at++
		s.heres = append(s.heres, s.announced())
	}
}

// announced reads the word that ends a here-document.
func (s *splitter) announced() here {
	h := here{of: -1}
	if strings.HasPrefix(s.line[s.at:], "-") {
		h.tabs = true
		s.at++
	}
	rest := strings.TrimLeft(s.line[s.at:], " \t")
	n := strings.IndexAny(rest, " \t\r\n;&|<>()")
	if n < 0 {
		n = len(rest)
	}
	s.at = len(s.line) - len(rest) + n
	h.end = strings.NewReplacer(`'`, "", `"`, "", `\`, "").Replace(rest[:n])
	h.quoted = h.end != rest[:n]
	return h
}

// takeHeres takes the texts of the here-documents that the line before announced: they are given to a command, and not run.
func (s *splitter) takeHeres() {
	heres := s.heres
	s.heres = nil
	for _, h := range heres {
		body := s.body(h)
		if h.of >= 0 {
			s.done[h.of].words = append(s.done[h.of].words, word{text: body, body: true})
		}
		if !h.quoted && !s.inHere {
			s.runs(body)
		}
	}
}

func (s *splitter) body(h here) string {
	from := s.at
	for s.at < len(s.line) {
		begin := s.at
		line, _, more := strings.Cut(s.line[s.at:], "\n")
		s.at += len(line)
		if more {
			s.at++
		}
		line = strings.TrimSuffix(line, "\r")
		if h.tabs {
			line = strings.TrimLeft(line, "\t")
		}
		if line == h.end {
			return s.line[from:begin]
		}
	}
	return s.line[from:]
}

// runs takes the commands of what is substituted in a here-document.
func (s *splitter) runs(body string) {
	for range maxRun {
		before, rest, more := strings.Cut(body, "$(")
		if !more {
			return
		}
		if !strings.HasSuffix(before, `\`) {
			inner := splitter{line: rest, parents: []int{0}, inHere: true}
			inner.until(')')
			for _, c := range inner.done {
				s.done = append(s.done, command{c.words, s.scope})
			}
		}
		body = rest
	}
}

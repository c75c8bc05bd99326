package matrix

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// section is a part of the matrix with a head of its own.
type section struct {
	Title string
	About string
	Rows  []row
}

// row is one line: a name, and a cell for each harness.
type row struct {
	Name   string
	Effect bool // it belongs to the event above it
	Cells  []shownCell
}

// shownCell is what stands in one place of the table.
type shownCell struct {
	State  State  // empty: Word alone is shown
	Word   string // what is read
	Proven bool
	Title  string // what else there is to say
}

// does says what an effect is, for people.
var does = map[harness.Effect]string{
	harness.Block: "can block", harness.Ask: "can have the user asked", harness.Allow: "can allow without a question",
	harness.Context: "can tell the model something", harness.RewriteInput: "can change the input", harness.RewriteOutput: "can change the result",
	harness.StopAgent: "can end the run", harness.Notify: "can tell the user something",
	harness.Env: "can give later commands variables",
}

// blocks says what a block does where that is something of its own.
var blocks = map[harness.Event]string{
	harness.UserPromptSubmit: "can drop the prompt", harness.PreToolUse: "can block the tool", harness.PermissionRequest: "can refuse",
	harness.PostToolUse: "can object to the result", harness.PostToolUseFailure: "can add to the failure",
	harness.Stop: "can send the agent back to work", harness.SubagentStop: "can send it back to work", harness.PreCompact: "can hold it up",
}

func phrase(e harness.Event, x harness.Effect) string {
	if text, ok := blocks[e]; ok && x == harness.Block {
		return text
	}
	return does[x]
}

// sections are the whole matrix, as every format but JSON shows it.
func (m Matrix) sections() (all []section) {
	all = append(all, section{"Joined", "How lorimer reaches it, and the newest version that it was proven on.", m.joinedRows()})
	if m.AsOf == "" {
		all = append(all,
			section{"Events", "Claude Code's names, and what an answer to each can do.", m.eventRows()},
			section{"When a hook breaks", "What the agent itself does then, where nothing was asked for (`on_error: block`).", m.faultRows()})
	}
	return append(all, section{"Sessions", "What the Runtime HAL knows.", m.sessionRows()})
}

func (m Matrix) each(name string, cell func(Harness) shownCell) row {
	r := row{Name: name}
	for _, h := range m.Harnesses {
		r.Cells = append(r.Cells, cell(h))
	}
	return r
}

func word(text string) shownCell { return shownCell{Word: text} }

func (m Matrix) joinedRows() []row {
	if m.AsOf != "" {
		return []row{m.each("versions below", func(h Harness) shownCell { return word(h.Session.Until) })}
	}
	rows := []row{m.each("by", func(h Harness) shownCell { return shownCell{Word: kinds[h.Kind], Title: h.Joined} })}
	return append(rows, m.each("proven on", func(h Harness) shownCell {
		if h.Proof == nil {
			return shownCell{Word: "claimed", Title: "nobody ran this descriptor on the program"}
		}
		return shownCell{Word: h.Proof.Version, Proven: true, Title: fmt.Sprintf("%s, %s, by %s", h.Proof.Package, h.Proof.Date, h.Proof.Evidence)}
	}))
}

var kinds = map[string]string{"generative": "a module", "external": "its hooks", "bare": "–"}

func (m Matrix) eventRows() (rows []row) {
	if len(m.Harnesses) == 0 {
		return nil
	}
	for i, e := range m.Harnesses[0].Events {
		rows = append(rows, m.each(string(e.Event), func(h Harness) shownCell { return shown(h.Events[i].Cell, h.Events[i].Host) }))
		for j, x := range e.Effects {
			r := m.each(phrase(e.Event, x.Effect), func(h Harness) shownCell { return shown(h.Events[i].Effects[j].Cell, "") })
			r.Effect = true
			rows = append(rows, r)
		}
	}
	return rows
}

func shown(c Cell, host string) shownCell {
	s := shownCell{State: c.State, Word: string(c.State), Proven: c.Proven != ""}
	var more []string
	if host != "" {
		more = append(more, host)
	}
	if c.Why != "" {
		more = append(more, c.Why)
	}
	if c.Proven != "" {
		more = append(more, "proven by "+c.Proven)
	} else if c.State == Yes || c.State == Partly {
		more = append(more, "claimed")
	}
	s.Title = strings.Join(more, "; ")
	return s
}

func (m Matrix) faultRows() (rows []row) {
	for i, of := range []string{"exit code 1", "another exit code", "a missing program", "the time limit"} {
		rows = append(rows, m.each(of, func(h Harness) shownCell {
			switch {
			case h.Kind == string(harness.Generative):
				return shownCell{Word: "goes on", Title: "the module that lorimer puts there says so aloud"}
			case len(h.Polarity) == 0:
				return word("unknown")
			case h.Polarity[i].Blocks:
				return word("blocks")
			}
			return word("goes on")
		}))
	}
	return rows
}

func (m Matrix) sessionRows() []row {
	of := func(name string, text func(Session) string) row {
		return m.each(name, func(h Harness) shownCell {
			if h.Session == nil {
				return word("unknown")
			}
			return word(text(*h.Session))
		})
	}
	return []row{
		of("hooks", func(s Session) string { return s.Hooks }),
		of("forks with context", func(s Session) string { return yesNo(s.ContextFork) }),
		of("taken up again", func(s Session) string { return yesNo(s.Restart) }),
		of("first instructions", func(s Session) string { return way(s.Startup) }),
		of("told of work", func(s Session) string { return way(s.GUPP) }),
		of("nudged by", func(s Session) string { return s.Nudge }),
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// ways are the HAL's words, for people.
var ways = map[string]string{"hook_injection": "hook", "startup_fallback": "command", "prompt_preamble": "prompt"}

func way(word string) string {
	if text, ok := ways[word]; ok {
		return text
	}
	return word
}

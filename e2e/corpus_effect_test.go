//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// effect is what the world, the model and the user saw of one row.
type effect struct {
	ran    []string // what the tool was told to do, each time that it ran
	read   []string // what the model read of it, by lines, sorted: handlers beside each other end in any order
	ended  bool     // the tool was called, or the stop blocked, and the model was not asked again
	rounds int      // of a row that has a run of its own and is about no tool: how often the model was asked
	shown  []string // what the user saw of messages that were for them
	aloud  []string // what Lorimer said aloud; no part of the comparison
}

// effectsOf takes apart what a start of the host has left behind. logs are what the model was asked in each of its turns.
func effectsOf(o *outcome, a *corpusAgent, turns [][]corpusRow, logs []fakemodel.Log) map[string]effect {
	all, nth := map[string]effect{}, map[string]int{}
	for i, rows := range turns {
		in := *o
		in.log = logs[i]
		effectsIn(&in, a, rows, nth, all)
	}
	return all
}

// effectsIn adds what became of the rows of one turn. nth is how many rows of each event there were before.
func effectsIn(o *outcome, a *corpusAgent, rows []corpusRow, nth map[string]int, all map[string]effect) {
	turn := 1 // requests that rows before have used up
	for _, row := range rows {
		e := effect{ran: acted(o, row), shown: shownOf(o, row), aloud: aloudOf(o, row, nth[row.Event.Text])}
		nth[row.Event.Text]++
		switch {
		case row.isTool() || row.goesOn():
			turn++
			if e.ended = turn > len(o.log); !e.ended {
				e.read = news(o, a, o.log[turn-1])
			}
		default:
			for _, r := range o.log {
				e.read = append(e.read, linesWith(news(o, a, r), row.Name.Text)...)
			}
			if row.Alone {
				e.rounds = len(o.log)
			}
		}
		slices.Sort(e.read)
		all[row.Name.Text] = e
	}
}

// acted reads what the tool did for the row.
func acted(o *outcome, row corpusRow) []string {
	file := filepath.Join(o.Dir, "e2e", "acted."+row.Name.Text)
	if row.Call.Text == "write" || row.Call.Text == ungranted {
		file = filepath.Join(o.Clone, row.Name.Text+".txt")
	}
	b, _ := os.ReadFile(file)
	return strings.FieldsFunc(string(b), func(r rune) bool { return r == '\n' })
}

// news is what a request adds after the model's last answer, by lines, without the host's own words around it.
func news(o *outcome, a *corpusAgent, r fakemodel.Request) (lines []string) {
	var text strings.Builder
	for _, m := range r.Messages {
		if m.Role == "assistant" || m.Role == "model" { // Gemini's word for it
			text.Reset()
			continue
		}
		text.WriteString(m.Text() + "\n")
	}
	s := strings.ReplaceAll(text.String(), o.Clone, "CLONE")
	for line := range strings.SplitSeq(unwrapped(a, s), "\n") {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(lines, line) { // a host may say it twice
			lines = append(lines, line)
		}
	}
	return lines
}

// reasonless are the words for a block that nobody gave a reason for.
var reasonless = regexp.MustCompile(`No stderr output|Blocked by hook|Hook \w+:\w+ asked for confirmation for this tool|blocked by \S+, which gave no reason|\S+ wants you to decide`)

// place is how Lorimer calls a handler, whatever file and row it stands in.
var place = regexp.MustCompile(`\S+\[\d+\]\.hooks\[\d+\]`)

func unwrapped(a *corpusAgent, text string) string {
	if a.around != nil {
		text = a.around.ReplaceAllString(text, "")
	}
	return place.ReplaceAllString(reasonless.ReplaceAllString(text, "(no reason)"), "HOOK")
}

func linesWith(lines []string, name string) []string {
	word := regexp.MustCompile(`\b` + name + `([^-\w]|$)`)
	return slices.DeleteFunc(lines, func(l string) bool { return !word.MatchString(l) })
}

var notices = regexp.MustCompile(`NOTICE [a-z0-9-]+( one| two)?`)

func shownOf(o *outcome, row corpusRow) (all []string) {
	for _, s := range notices.FindAllString(o.exit.Stdout+o.exit.Stderr, -1) {
		if strings.HasPrefix(s+" ", "NOTICE "+row.Name.Text+" ") {
			all = append(all, s)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// aloudOf returns what Lorimer's log has of the row's handlers: those of the nth group of its event.
func aloudOf(o *outcome, row corpusRow, nth int) (all []string) {
	mine := fmt.Sprintf("%s[%d].hooks", row.Event, nth)
	for line := range strings.Lines(o.StateLog()) {
		if strings.Contains(line, mine) {
			_, line, _ = strings.Cut(strings.TrimSpace(line), ": ")
			all = append(all, place.ReplaceAllString(line, "HOOK"))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// String is the effect for people, a line each.
func (e effect) String() string {
	var b strings.Builder
	b.WriteString(e.seen())
	for _, s := range e.aloud {
		fmt.Fprintf(&b, "  aloud  %s\n", short(s))
	}
	return b.String()
}

// seen is all of it that is compared.
func (e effect) seen() string {
	var b strings.Builder
	say := func(what string, lines []string) {
		for _, s := range lines {
			fmt.Fprintf(&b, "  %-6s %s\n", what, short(s))
		}
	}
	say("runs", e.ran)
	say("reads", e.read)
	if e.ended {
		b.WriteString("  the run ends\n")
	}
	if e.rounds > 0 {
		fmt.Fprintf(&b, "  the model is asked %d times\n", e.rounds)
	}
	say("shows", e.shown)
	return b.String()
}

func short(s string) string {
	q := fmt.Sprintf("%q", s)
	q = q[1 : len(q)-1]
	if len(q) > 200 {
		q = fmt.Sprintf("%s [%d more] %s", q[:80], len(q)-160, q[len(q)-80:])
	}
	return q
}

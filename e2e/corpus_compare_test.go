//go:build linux

package e2e

import (
	"fmt"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Keys of `differs` that stand for several agents.
const (
	everyAgent  = "lorimer"
	otherAgents = "others"
)

// unreached is why a row was not run, where the agent has the event.
const unreached = "run here, the agent asks nobody"

// compare holds the effects of one way against Claude's own, each as text by the name of its row. It returns why a row's effect is
// another one, "" = it is the same. Each difference needs a reason, and each reason that is listed a difference. What an agent
// cannot do is reason enough, if it is not done in silence.
func (w way) compare(rows []corpusRow, claude map[string]string, got map[string]effect) (why map[string]string, faults []string) {
	why = map[string]string{}
	fault := func(format string, args ...any) { faults = append(faults, w.id+": "+fmt.Sprintf(format, args...)) }
	for _, row := range rows {
		name := row.Name.Text
		if !w.has(row) {
			why[name] = w.reason(row)
			continue
		}
		same, listed, lacking := got[name].seen() == claude[name], w.listed(row), w.lacks(row)
		switch {
		case same && listed != "":
			fault("%s is listed to differ (%s), and does not", name, listed)
		case same && lacking != "" && len(got[name].aloud) == 0:
			fault("%s: %s, and nothing is said of it", name, lacking)
		case !same && listed+lacking == "":
			fault("%s (%s) has another effect than in Claude Code, and no reason is given:\n%swhere Claude Code has\n%s",
				name, row.About, got[name], claude[name])
		case !same:
			why[name] = w.reason(row)
		}
	}
	return why, faults
}

// reason is why the row's effect may be another one than in Claude Code; "" = it may not. What is said of the agent itself comes
// first, then what it cannot do, then what is said of all.
func (w way) reason(row corpusRow) string {
	own, lacking := w.own(row), w.lacks(row)
	switch {
	case !w.has(row) && lacking == "":
		return unreached
	case own != "":
		return own
	case lacking != "":
		return lacking
	}
	return w.listed(row)
}

// shown are the events, and their effects, that an agent was seen to have as Claude has them.
func (w way) shown(rows []corpusRow, why map[string]string) (all []string) {
	for _, row := range rows {
		if why[row.Name.Text] != "" || !row.fires() {
			continue
		}
		binding, _ := w.row().Binding(harness.Event(row.Event.Text))
		all = append(all, row.Event.Text)
		for _, e := range row.Asks {
			if binding.Has(harness.Effect(e.Text)) {
				all = append(all, row.Event.Text+" "+e.Text)
			}
		}
	}
	return all
}

// fires: the row is not about an event that does not come, of which nothing can be seen.
func (row corpusRow) fires() bool {
	switch event := harness.Event(row.Event.Text); event {
	case harness.PostToolUse, harness.PostToolUseFailure:
		return (event == harness.PostToolUseFailure) == (row.Call.Text == "fails")
	}
	return true
}

// lacks says what the row needs and the agent has not, by its descriptor.
func (w way) lacks(row corpusRow) string {
	binding, ok := w.row().Binding(harness.Event(row.Event.Text))
	if !ok {
		return "no " + row.Event.Text
	}
	var missing []string
	for _, e := range row.Asks {
		if !binding.Has(harness.Effect(e.Text)) {
			missing = append(missing, e.Text)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "no `" + strings.Join(missing, "`, `") + "` at " + row.Event.Text
}

//go:build linux

package e2e

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// What the hosts make of things (rig.Manners), as the cases expect it.

// reason is a handler's reason with all that could be lost on the way to the model.
const reason = "no — “ß” 🐎 \"double\" 'single' \\ back $HOME `tick` <tag> & %s\nsecond line"

// callID is the id of the first tool call on the wire, where hooks are told it.
func callID(o *outcome) string {
	if o.Host.Manners.NoCallID {
		return ""
	}
	if rs := o.log.Results(); len(rs) > 0 {
		return rs[0].ID
	}
	return "no tool call"
}

// lastMessage is what the model said last, where hooks are told it.
func lastMessage(text string) func(*outcome) string {
	return func(o *outcome) string {
		if o.Host.Manners.NoLastMessage {
			return ""
		}
		return text
	}
}

// readsNote is reads for what is said of a result.
func readsNote(n int, text string) check {
	return check{what: fmt.Sprintf("the model reads %q in request %d", text, n), test: func(o *outcome) error {
		want := text
		if note := o.Host.Manners.Note; note != nil {
			want = note(text)
		}
		return reads(n, want).test(o)
	}}
}

// blockedTool is what the model reads in place of a blocked tool's answer.
func blockedTool(h *rig.Host, tool, reason string) string {
	return strings.NewReplacer("{tool}", tool, "{reason}", reason, "{line}", "rmdir hooks/victim").Replace(cmp.Or(h.Manners.Denied, "{reason}"))
}

// goesOn holds when what the n-th request adds to the answer before it is the reason, in the host's own words.
func goesOn(n int, reason string) check {
	return request(n, "the stop's reason follows the answer", func(o *outcome, r fakemodel.Request) error {
		return same(without(o.Host.Manners.HookRun, bared(o.Host, continuation(r))), blockedStop(o, reason))
	})
}

// blockedStop is what the model reads after the answer that a blocked stop was about.
func blockedStop(o *outcome, reason string) string {
	return strings.NewReplacer(
		"{reason}", reason,
		"{xml}", strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(reason),
		"{command}", filepath.Join(o.Home, ".local/state/lorimer/bin/lorimer-dispatch")+" --root "+o.Clone+" "+o.Host.ID+" Stop",
	).Replace(cmp.Or(o.Host.Manners.Continued, "user: {reason}\n"))
}

// beside holds when the n-th request answers a turn's calls with the results, and each result's context is with it.
func beside(n int, event string, results, contexts []string) check {
	return request(n, "context stands beside the results", func(o *outcome, r fakemodel.Request) error {
		got, want := bared(o.Host, continuation(r)), contextual(o.Host, event, results, contexts)
		switch o.Host.Manners.Order {
		case rig.AnyLine:
			got, want = sortedLines(got), sortedLines(want)
		case rig.AsEnded:
			got, want = sortedResults(got), sortedResults(want)
		}
		return same(got, want)
	})
}

func contextual(h *rig.Host, event string, results, contexts []string) string {
	form := cmp.Or(h.Manners.Beside[event], h.Manners.Beside[""], "tool: {result}\n\n{context}\n")
	text := h.Manners.Opening
	for i := range results {
		text += strings.NewReplacer("{result}", results[i], "{context}", contexts[i]).Replace(form)
	}
	return text
}

// bared is a text without what the host puts around what commands and hooks say.
func bared(h *rig.Host, text string) string {
	if h.Manners.Around == nil {
		return text
	}
	return h.Manners.Around.ReplaceAllString(text, "$1")
}

func without(what *regexp.Regexp, text string) string {
	if what == nil {
		return text
	}
	return what.ReplaceAllString(text, "")
}

func sortedLines(text string) string {
	lines := strings.FieldsFunc(strings.NewReplacer("user: ", "", "system: ", "").Replace(text), func(r rune) bool { return r == '\n' })
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func sortedResults(text string) string {
	results := strings.Split(text, "tool: ")
	slices.Sort(results)
	return strings.Join(results, "")
}

// forkSource is what a host says of where a forked session comes from.
func forkSource(o *outcome) string { return cmp.Or(o.Host.Manners.ForkSource, "fork") }

// continuation is what follows the model's last answer in a request: one "role: text" a message.
func continuation(r fakemodel.Request) string {
	var out string
	for _, m := range r.Messages {
		if m.Role == "assistant" || m.Role == "model" {
			out = ""
			continue
		}
		out += m.Role + ": " + m.Text() + "\n"
	}
	return out
}

// lasting says whether the host lives on when a prompt has come to its end: it is talked to, or serves.
func lasting(o *outcome) bool { return o.mode == o.Host.Talk || o.mode == o.Host.Serve }

func abortStatus(o *outcome) int {
	if lasting(o) {
		return 0
	}
	return o.Host.Manners.Interrupted
}

func abortEnds(o *outcome) int {
	if o.Host.Manners.Dies && !lasting(o) {
		return 0
	}
	return 1
}

func failureEnds(o *outcome) int {
	if slices.Contains(o.Host.Manners.BreaksOff, o.mode) {
		return 0
	}
	return 1
}

func failureStatus(o *outcome) int {
	if status, special := o.Host.Manners.Failed[o.mode]; special {
		return status
	}
	return 1
}

// refusedStatus is that of a run whose prompt was blocked: without Lorimer it was not.
func refusedStatus(o *outcome) int {
	if lasting(o) || len(o.Calls("UserPromptSubmit")) == 0 {
		return 0
	}
	return o.Host.Manners.Refused
}

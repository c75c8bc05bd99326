package conform

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// toolCases: each of the host's tools arrives under Claude's name, with Claude's keys.
func toolCases(s *subject) (all []kase) {
	if _, ok := s.row.Binding(harness.PreToolUse); !ok {
		return nil
	}
	for _, c := range s.fake.Calls {
		all = append(all, kase{
			name: "tool: " + c.Name + " arrives as " + c.Tool, expected: "Claude's name and keys", play: func(w *world) error { return w.arrives(c) },
		})
	}
	return append(all, idsCase(), failedCase(), hugeCase(), contextsCase())
}

// claudeKeys is where Claude has what a token stands for.
var claudeKeys = map[string]string{"command": "command", "path": "file_path", "content": "content", "old": "old_string", "new": "new_string", "pattern": "pattern"}

func (w *world) arrives(c harness.FakeCall) error {
	if _, err := w.reach(harness.PreToolUse, act{Call: w.call(c.Tool)}); err != nil {
		return err
	}
	calls := w.board.calls(string(harness.PreToolUse))
	if len(calls) != 1 {
		return fmt.Errorf("handlers ran %d times", len(calls))
	}
	w.note("%s %s", calls[0].get("tool_name"), calls[0].get("tool_input"))
	if err := equal("tool_name", calls[0].get("tool_name"), c.Tool); err != nil {
		return err
	}
	for name, key := range claudeKeys {
		if !holds(c.Input, name) {
			continue
		}
		got := calls[0].get("tool_input." + key)
		if name == "path" && filepath.IsAbs(got) { // the descriptor may have made it so
			got, _ = filepath.Rel(w.clone, got)
		}
		if got != words[name] {
			return fmt.Errorf("tool_input.%s is %s, not %s; all of it: %s", key, shown(got), shown(words[name]), calls[0].get("tool_input"))
		}
	}
	return nil
}

// holds says whether the token has to arrive: the path wherever it stands, anything else where it is a whole value on top.
func holds(input json.RawMessage, name string) (found bool) {
	if name == "path" {
		return strings.Contains(string(input), "{path}")
	}
	gjson.ParseBytes(input).ForEach(func(_, v gjson.Result) bool {
		found = found || v.Str == "{"+name+"}"
		return true
	})
	return found
}

func idsCase() kase {
	return kase{
		name: "tool: before and after are told to be one call", expected: "the host's id in tool_use_id, the result in tool_response",
		needs: events(harness.PreToolUse, harness.PostToolUse),
		play: func(w *world) error {
			a := w.actOf(harness.PreToolUse, act{})
			if _, err := w.reach(harness.PreToolUse, a); err != nil {
				return err
			}
			if _, err := w.fire(string(harness.PostToolUse), a); err != nil {
				return err
			}
			pre, post := w.board.calls("PreToolUse"), w.board.calls("PostToolUse")
			if len(pre) != 1 || len(post) != 1 {
				return fmt.Errorf("handlers ran %d times before and %d times after", len(pre), len(post))
			}
			response := post[0].get("tool_response")
			w.note("%s %s", post[0].get("tool_use_id"), shown(response))
			if !strings.Contains(decoded(response), a.Call.Output) {
				return fmt.Errorf("tool_response is %s", shown(response))
			}
			return first(equal("tool_use_id before", pre[0].get("tool_use_id"), a.Call.ID), equal("tool_use_id after", post[0].get("tool_use_id"), a.Call.ID))
		},
	}
}

// failedCase: what a command that failed comes as is no event of one that did not, whatever the host calls both.
func failedCase() kase {
	after, failure := harness.PostToolUse, harness.PostToolUseFailure
	return kase{
		name: "tool: a call that failed is told from one that did not", expected: "each in an event of its own, and the failure says what went wrong",
		needs: events(after, failure),
		play: func(w *world) error {
			a := w.actOf(after, act{})
			if err := w.begin(); err != nil {
				return err
			}
			for i, e := range []harness.Event{after, failure} {
				if _, err := w.fire(string(e), a); err != nil {
					return err
				}
				if err := first(w.count(after, 1), w.count(failure, i)); err != nil {
					return fmt.Errorf("after %s %w", e, err)
				}
			}
			wrong := w.board.calls(string(failure))[0].get("error")
			w.note("%s", shown(wrong))
			if !strings.Contains(wrong, a.Call.Output) {
				return fmt.Errorf("error is %s", shown(wrong))
			}
			return nil
		},
	}
}

// decoded is a JSON text with its escapes undone, so that a text can be looked for in it.
func decoded(raw string) string {
	var out strings.Builder
	var visit func(v any)
	visit = func(v any) {
		switch x := v.(type) {
		case string:
			out.WriteString(x + "\n")
		case []any:
			for _, e := range x {
				visit(e)
			}
		case map[string]any:
			for _, e := range x {
				visit(e)
			}
		}
	}
	var v any
	if json.Unmarshal([]byte(raw), &v) != nil {
		return raw
	}
	visit(v)
	return out.String()
}

func hugeCase() kase {
	e := harness.PreToolUse
	return kase{
		name: "tool: a payload of 1 MiB arrives whole, and so does a reason", expected: "every byte, both ways",
		needs: all(events(e), call("Write")), claims: effect(e, harness.Block),
		play: func(w *world) error {
			huge := strings.Repeat("é🐎 0123456789", 1<<20/16) // no buffer of a pipe holds it, and its characters may be cut in two
			reason := "no: " + huge[:200<<10] + " THE END"
			if err := w.answer(e, blocking(reason)); err != nil {
				return err
			}
			saw, err := w.reach(e, act{Call: w.callWith("Write", map[string]string{"content": huge})})
			if err != nil {
				return err
			}
			calls := w.board.calls(string(e))
			if len(calls) != 1 || calls[0].get("tool_input.content") != huge {
				return fmt.Errorf("handlers ran %d times, or not with what was written", len(calls))
			}
			return w.sees(saw.reasons(), "THE END")
		},
	}
}

// contextsCase: calls that run at the same time must not get each other's context.
func contextsCase() kase {
	e := harness.PreToolUse
	return kase{
		name: "tool: context stays with its call when two run at once", expected: "each result with its own context, and that alone",
		needs: events(e, harness.PostToolUse), claims: effect(e, harness.Context),
		play: func(w *world) error {
			if err := first(w.answer(e, specific(e, "additionalContext", "ABOUT first"), specific(e, "additionalContext", "ABOUT second")), w.begin()); err != nil {
				return err
			}
			one, two := w.actOf(e, act{}), w.actOf(e, act{})
			var contexts [2][]string
			for i, a := range []act{one, two} {
				saw, err := w.fire(string(e), a)
				if err != nil {
					return err
				}
				contexts[i] = saw.texts(harness.Context)
			}
			for i, a := range map[int]act{1: two, 0: one} {
				saw, err := w.fire(string(harness.PostToolUse), a)
				if err != nil {
					return err
				}
				contexts[i] = append(contexts[i], saw.texts(harness.Context)...)
			}
			w.note("%s", shown(contexts))
			if !has(contexts[0], "first") || has(contexts[0], "second") || !has(contexts[1], "second") || has(contexts[1], "first") {
				return fmt.Errorf("the calls got %s", shown(contexts))
			}
			return nil
		},
	}
}

package harness

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Back turns an input that a handler rewrote, in Claude's names, back into the host's: those of the call as the host sent it,
// else the tables'. lost are keys that were made for handlers out of others and were changed: nothing of the host's has that
// value. All are given and returned as JSON text.
func (t Tools) Back(rawName, sent, rewritten string) (input string, lost []string) {
	members, ok := membersOf(rewritten)
	was, isObject := t.membersOf(unquote(rawName), sent)
	if !ok || !isObject {
		return rewritten, nil
	}
	tool := unquote(rawName)
	hosts, made := t.hosts(tool, was), t.made(rawName, sent, was)
	var p Payload
	for _, m := range members {
		switch raw, isMade := made[m.key]; {
		case isMade && raw != m.raw:
			lost = append(lost, m.key)
		case isMade:
		default:
			p.Raw(or(hosts[m.key], m.key), m.raw)
		}
	}
	if key := t.Text[tool]; key != "" && strings.HasPrefix(sent, `"`) {
		for _, m := range members {
			if m.key == key {
				return m.raw, lost
			}
		}
		return sent, lost
	}
	return string(p.Bytes()), lost
}

// hosts is the host's name of each argument that Claude names otherwise; of several the one that the call had.
func (t Tools) hosts(tool string, sent []member) map[string]string {
	names := map[string]string{}
	for _, table := range []map[string]string{t.Args["*"], t.Args[tool]} {
		for _, key := range slices.Sorted(maps.Keys(table)) {
			names[table[key]] = key
		}
	}
	files, _ := t.files(tool, sent)
	for _, m := range sent {
		names[t.renamed(tool, m.key, sent, files)] = m.key
	}
	return names
}

// made are the arguments that Input adds to what the host sent.
func (t Tools) made(rawName, sent string, was []member) map[string]string {
	shown, _ := membersOf(t.Input(rawName, sent))
	added := map[string]string{}
	for i, m := range shown {
		if i >= len(was) { // they stand behind the host's own
			added[m.key] = m.raw
		}
	}
	return added
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// OutputText gives the text of a tool's result, which a handler replaced, for hosts that know no other form: that of Claude's
// own tools, a text, or blocks of content; anything else is its JSON.
func OutputText(raw string) string {
	var out struct {
		Stdout, Stderr *string
		File           struct{ Content *string }
	}
	var text string
	var blocks []struct {
		Type string
		Text *string
	}
	switch {
	case json.Unmarshal([]byte(raw), &text) == nil:
		return text
	case json.Unmarshal([]byte(raw), &out) == nil && out.Stdout != nil:
		return strings.Join(slices.DeleteFunc([]string{*out.Stdout, deref(out.Stderr)}, func(s string) bool { return s == "" }), "\n")
	case json.Unmarshal([]byte(raw), &out) == nil && out.File.Content != nil:
		return *out.File.Content
	case json.Unmarshal([]byte(raw), &blocks) == nil && len(blocks) > 0:
		var lines []string
		for _, b := range blocks {
			if b.Text == nil {
				return raw
			}
			lines = append(lines, *b.Text)
		}
		return strings.Join(lines, "\n")
	}
	return raw
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

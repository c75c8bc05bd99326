package try

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/internal/meant"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// event is what is tried.
type event struct {
	name    harness.Event
	payload []byte
	native  bool   // the payload is a host's own
	title   string // for people
}

var errNothing = errors.New("expected TOOL ARG..., an event, or --event E --input JSON; for example `lorimer try Bash 'rm -rf build'`")

// reading is the command line on its way to an event.
type reading struct {
	*Command
	name harness.Event
	cwd  string // where the agent works
}

// event reads the command line. cwd is where the agent works, absolute.
func (c *Command) event(cwd string) (event, error) {
	r := &reading{Command: c, name: harness.Event(c.Event), cwd: cwd}
	words := c.Words
	if r.name == "" && len(words) > 0 && harness.Event(words[0]).Known() {
		r.name, words = harness.Event(words[0]), words[1:]
	}
	if r.name != "" && !r.name.Known() {
		return event{}, unknownEvent(string(r.name))
	}
	switch {
	case c.Native:
		return r.native(words)
	case len(words) == 0 && c.Input != "" && (r.name == "" || r.name.Tool()):
		return r.whole()
	case r.name == "" || r.name.Tool():
		return r.toolCall(words)
	}
	return r.other(words)
}

func unknownEvent(name string) error {
	names := make([]string, len(harness.Events))
	for i, e := range harness.Events {
		names[i] = string(e)
	}
	return fmt.Errorf("unknown event %q; expected one of %s%s", name, strings.Join(names, ", "), meant.Ending(name, names))
}

// native takes --input as a host sends it.
func (r *reading) native(words []string) (event, error) {
	switch {
	case len(words) > 0 || r.Input == "":
		return event{}, fmt.Errorf("--native takes no TOOL; expected --input with the payload as the agent sends it")
	case r.name == "":
		return event{}, fmt.Errorf("--native needs --event: an agent's own payload goes by the agent's own names")
	case len(r.Only) != 1:
		return event{}, fmt.Errorf("--native needs --harness ID: the payload is that of one agent")
	case slices.ContainsFunc(r.Table, func(h *harness.Harness) bool { return h.ID == r.Only[0] && h.Kind == harness.Generative }):
		return event{}, fmt.Errorf("--native is not for %s, which has no payload of its own: its shim sends Claude's shape; leave it out", r.Only[0])
	}
	src, err := r.input()
	return event{name: r.name, payload: []byte(src), native: true, title: string(r.name) + ", as " + r.Only[0] + " sends it"}, err
}

// whole takes --input as the payload, and adds what every payload has.
func (r *reading) whole() (event, error) {
	given, err := r.inputFields()
	if err != nil {
		return event{}, err
	}
	named := harness.Event(rawjson.String(valueOf(given, "hook_event_name")))
	switch {
	case r.name == "" && !named.Known():
		return event{}, fmt.Errorf("--input has no hook_event_name that is known; name the event with --event, or the tool before --input")
	case r.name != "" && named != "" && named != r.name:
		return event{}, fmt.Errorf("--event is %s, and hook_event_name in --input %s; expected the same", r.name, named)
	case r.name == "":
		r.name = named
	}
	return r.finish(given), nil
}

// toolCall takes TOOL ARG... .
func (r *reading) toolCall(words []string) (event, error) {
	if len(words) == 0 {
		return event{}, errNothing
	}
	if r.name == "" {
		r.name = harness.PreToolUse
	}
	tool := spelled(words[0])
	form, known := tools[tool]
	input, err := r.fill(form, known, tool, words[1:])
	if err != nil {
		return event{}, err
	}
	call := []field{{"tool_name", harness.Quoted(tool)}, {"tool_use_id", `"lorimer-try"`}, {"tool_input", object(input)}}
	if r.name == harness.PostToolUse {
		call = append(call, field{"tool_response", r.response()})
	}
	return r.finish(call), nil
}

// response is the tool's result: JSON as it stands, anything else as a text.
func (r *reading) response() string {
	switch {
	case r.Response == "":
		return "{}"
	case json.Valid([]byte(r.Response)):
		return r.Response
	}
	return harness.Quoted(r.Response)
}

// other takes the words of an event that is no tool call.
func (r *reading) other(words []string) (event, error) {
	form := events[r.name]
	if len(words) == 0 && form.preset != "" && r.Input == "" {
		words = []string{form.preset}
	}
	fields, err := r.fill(form, true, string(r.name), words)
	if err != nil {
		return event{}, err
	}
	if r.name.Gate() && valueOf(fields, "stop_hook_active") == "" {
		fields = slices.Insert(fields, 0, field{"stop_hook_active", "false"})
	}
	return r.finish(fields), nil
}

// spelled is the tool's name as Claude Code spells it.
func spelled(tool string) string {
	for name := range tools {
		if strings.EqualFold(name, tool) {
			return name
		}
	}
	return tool
}

var byName = lazyre.Pattern{Expr: `^([A-Za-z_][A-Za-z0-9_.-]*?)(:?=)`}

// fill gives words to fields: key=value and key:=JSON by name, all others by position. For a form that is not known every key
// is taken; for one that is, a word like x=1 with another key is a word.
func (r *reading) fill(form shape, known bool, of string, words []string) (fields []field, err error) {
	if r.Input != "" {
		return r.fromInput(of, words)
	}
	var free []string
	for _, w := range words {
		m := byName.Re().FindStringSubmatch(w)
		if m == nil || known && !slices.Contains(form.words, m[1]) && !slices.Contains(form.more, m[1]) {
			free = append(free, w)
			continue
		}
		raw := w[len(m[0]):]
		if m[2] == "=" {
			raw = r.text(m[1], raw)
		} else if !json.Valid([]byte(raw)) {
			return nil, fmt.Errorf("%s: what stands behind := is no JSON; expected for example %s:=true, or %s=text", w, m[1], m[1])
		}
		fields = append(fields, field{m[1], raw})
	}
	placed, err := r.place(form, of, free)
	return append(placed, fields...), err
}

func (r *reading) place(form shape, of string, free []string) (fields []field, err error) {
	n := len(form.words)
	switch {
	case len(free) > 0 && n == 0:
		return nil, fmt.Errorf("%q: it is not known which argument of %s that is; expected key=value, key:=JSON, or --input JSON", free[0], of)
	case len(free) > n && form.rest:
		free = append(free[:n-1:n-1], strings.Join(free[n-1:], " "))
	case len(free) > n:
		return nil, fmt.Errorf("%q: %s takes %s; expected not more, or key=value", free[n], of, strings.Join(form.words, ", "))
	}
	for i, w := range free {
		fields = append(fields, field{form.words[i], r.text(form.words[i], w)})
	}
	return fields, nil
}

// text is a field's value from a word.
func (r *reading) text(key, word string) string {
	if slices.Contains(paths, key) && word != "" && !filepath.IsAbs(word) {
		word = filepath.Join(r.cwd, word)
	}
	return harness.Quoted(word)
}

// fromInput takes --input instead of words.
func (r *reading) fromInput(of string, words []string) ([]field, error) {
	if len(words) > 0 {
		return nil, fmt.Errorf("%q beside --input: expected one of the two for what %s gets", words[0], of)
	}
	return r.inputFields()
}

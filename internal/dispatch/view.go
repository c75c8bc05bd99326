package dispatch

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
	"github.com/lorimer-dev/lorimer/internal/verdict"
)

// view is an event as a handler is shown it. Claude's tools write one file a call: a patch that touches several is shown as so many
// calls, and a file that it makes as a call of the tool that makes files. Of any other event there is one view, the event itself.
type view struct {
	of      string // what tells it from others of the call; "" is the call as a whole
	names   []string
	files   []string // absolute
	payload []byte
	input   string            // of a part: tool_input
	given   map[string]string // of a part: the keys of tool_input that were made for handlers, as JSON text
	path    string            // of a part: as the call has it
	rule    harness.Patch     // of a part: how its text is read
}

// whole is the event itself.
func (c *call) whole() view {
	return view{names: c.subjects(), files: c.files(), payload: c.payload}
}

// views returns what handlers are shown of the event as it is now.
func (c *call) views() []view {
	touched, rule := c.touched()
	if len(touched) == 0 {
		return []view{c.whole()}
	}
	paths := c.rooted(pathsOf(touched))
	var all []view
	for i, t := range touched {
		v := view{names: c.subjects(), files: paths[i : i+1], path: t.Path, rule: rule}
		v.given = map[string]string{"file_path": harness.Quoted(paths[i]), "file_paths": harness.QuotedList(distinctTexts(paths))}
		tool := c.text("tool_name")
		if t.Made {
			tool = rule.As
			if rule.Line != "" {
				v.given["content"] = harness.Quoted(t.Content)
			}
			v.names = append([]string{tool}, v.names...)
		}
		v.of = tool + " " + paths[i]
		v.input = c.shown(v.given)
		v.payload = withCall(c.payload, tool, v.input)
		all = append(all, v)
	}
	return all
}

// touched returns the files of a call that tells them in a list or in a patch, and how that is read.
func (c *call) touched() (all []harness.Touch, rule harness.Patch) {
	if !c.event.Tool() {
		return nil, rule
	}
	input, text := c.fields["tool_input"], ""
	i := slices.IndexFunc(c.harness.Patches, func(p harness.Patch) bool {
		text = rawjson.String(rawjson.At(input, p.From))
		return p.Tool == c.text("tool_name") && (p.Paths == "" || text != "")
	})
	if i < 0 {
		return nil, rule
	}
	rule = c.harness.Patches[i]
	all = rule.Touched(text)
	if rule.Paths != "" { // the patch names them all; the list was made of it, perhaps before a handler changed it
		return all, rule
	}
	for _, path := range c.listed() {
		if !slices.ContainsFunc(all, func(t harness.Touch) bool { return t.Path == path }) {
			all = append(all, harness.Touch{Path: path})
		}
	}
	return all, rule
}

// listed returns the files that the call's input lists, as they stand there.
func (c *call) listed() (all []string) {
	input := c.fields["tool_input"]
	if list := gjson.Parse(rawjson.At(input, "file_paths")); list.IsArray() {
		for _, f := range list.Array() {
			all = append(all, rawjson.String(f.Raw))
		}
	}
	all = append(all, rawjson.String(rawjson.At(input, "file_path"))) // which may be none of the list
	return slices.DeleteFunc(distinctTexts(all), func(path string) bool { return path == "" })
}

// files returns the files that the tool touches, absolute. Relative ones are relative to where the agent works.
func (c *call) files() []string {
	paths := c.listed()
	if touched, _ := c.touched(); len(touched) > 0 {
		paths = pathsOf(touched)
	}
	return distinctTexts(c.rooted(paths))
}

func (c *call) rooted(paths []string) (all []string) {
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			p = filepath.Join(c.cwd(), p)
		}
		all = append(all, p)
	}
	return all
}

func pathsOf(touched []harness.Touch) (all []string) {
	for _, t := range touched {
		all = append(all, t.Path)
	}
	return all
}

// shown is the call's input with what is made for handlers, which stands in front.
func (c *call) shown(given map[string]string) string {
	var out harness.Payload
	for _, key := range []string{"file_path", "content", "file_paths"} {
		out.Raw(key, given[key])
	}
	for _, m := range membersOf(c.fields["tool_input"]) {
		if _, is := given[m.key]; !is {
			out.Raw(m.key, m.raw)
		}
	}
	return string(out.Bytes())
}

// ofWhole turns an input that a handler gave a part of the call into one of the call as a whole: what it changed is changed in whole,
// the call as others made it. What was made for the handler stands nowhere in the call. There the content of a file is changed in
// the patch, and all else is lost. "" is an input that changes nothing.
func (c *call) ofWhole(v view, input, whole string) (changed string, lost []string) {
	if input == "" || v.of == "" {
		return input, nil
	}
	was, _ := rawjson.ParseObject(v.input)
	now := map[string]string{}
	for _, m := range membersOf(input) {
		_, made := v.given[m.key]
		switch text := rawjson.String(m.raw); {
		case rawjson.Canonical(m.raw) == rawjson.Canonical(was[m.key]):
		case m.key == "content" && made && rawjson.IsString(m.raw):
			patch := cmp.Or(now[v.rule.From], rawjson.At(whole, v.rule.From))
			now[v.rule.From] = harness.Quoted(v.rule.With(rawjson.String(patch), v.path, text))
		case made:
			lost = append(lost, m.key)
		default:
			now[m.key] = m.raw
		}
	}
	if len(now) == 0 {
		return "", lost
	}
	return withMembers(whole, now), lost
}

// withMembers returns the object with other values; keys that it has not stand behind its own.
func withMembers(object string, values map[string]string) string {
	var out harness.Payload
	values = maps.Clone(values)
	for _, m := range membersOf(object) {
		out.Raw(m.key, cmp.Or(values[m.key], m.raw))
		delete(values, m.key)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		out.Raw(key, values[key])
	}
	return string(out.Bytes())
}

type member struct{ key, raw string }

func membersOf(object string) (all []member) {
	gjson.Parse(object).ForEach(func(key, value gjson.Result) bool {
		all = append(all, member{key.String(), value.Raw})
		return true
	})
	return all
}

// allowWhole takes back what handlers allowed, unless each part of the call was allowed by one of them: the host asks for all of it
// at once. jobs are those that were run, and parts what they said.
func (c *call) allowWhole(jobs []job, parts []verdict.Part) {
	allows := func(v view) bool {
		for i, p := range parts {
			if p.Block && p.Outcome.Allowed && (jobs[i].of == v.of || jobs[i].of == "") {
				return true
			}
		}
		return false
	}
	if !slices.ContainsFunc(c.views(), func(v view) bool { return !allows(v) }) {
		return
	}
	for i, p := range parts {
		if p.Block && p.Outcome.Allowed {
			parts[i].Outcome.Allowed = false
			c.say(fmt.Sprintf("%s allowed a part of %s alone (%s), so the rest of it is still to be asked for", p.Handler, c.event, jobs[i].of))
		}
	}
}

// withCall returns the payload with another tool and input; all else keeps its bytes and its place.
func withCall(payload []byte, tool, input string) []byte {
	return []byte(withMembers(string(payload), map[string]string{"tool_name": harness.Quoted(tool), "tool_input": input}))
}

func distinctTexts(all []string) (kept []string) {
	for _, s := range all {
		if !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

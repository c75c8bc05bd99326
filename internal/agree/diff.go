package agree

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/hookenv"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// Difference is one handler, or one setting of all of them, that differs between the manifest that was agreed to and the one
// that stands there.
type Difference struct {
	What    string        `json:"what"`              // added | changed | removed
	Now     *Placed       `json:"now,omitempty"`     // absent when it was removed
	Was     *Placed       `json:"was,omitempty"`     // absent when it was added
	Setting *SettingValue `json:"setting,omitempty"` // instead of the two
}

// SettingValue is what holds for all handlers of a manifest: of env, self_protect, harnesses and max_continuations one.
type SettingValue struct {
	Name string `json:"name"`
	Was  string `json:"was"` // "" = nothing was agreed to yet
	Now  string `json:"now"`
}

// Placed is a handler and the event that it runs on.
type Placed struct {
	Event string `json:"event"`
	manifest.Handler
}

// Compare returns what differs in a manifest from the one that was agreed to before (nil = none was): handlers in the order of a
// session's events, then those that are gone, then settings. The error says why the manifest is none; an old one that cannot
// be read counts as never agreed to.
func Compare(was, now []byte) ([]Difference, error) {
	list, err := handlers(now)
	if err != nil {
		return nil, err
	}
	old, err := handlers(was)
	if err != nil {
		was = nil
	}
	return append(compare(old, list), settings(was, now)...), nil
}

// settings compares what holds for all handlers. Less of it may mean that less is watched, so it is shown like a handler that
// is gone; where nothing was agreed to before, the handlers say it all.
func settings(was, now []byte) (all []Difference) {
	v, _ := manifest.Parse(now) // it could be read a moment ago
	old, err := manifest.Parse(was)
	if err != nil {
		if env := environment(v); env != "" { // it says what the commands of handlers come to
			all = append(all, Difference{What: "added", Setting: &SettingValue{Name: "env", Now: env}})
		}
		return all
	}
	for _, s := range []SettingValue{
		{"env", environment(old), environment(v)},
		{"self_protect", strconv.FormatBool(old.SelfProtects()), strconv.FormatBool(v.SelfProtects())},
		{"harnesses", strings.Join(old.Harnesses(), ", "), strings.Join(v.Harnesses(), ", ")},
		{"max_continuations", strconv.Itoa(old.MaxContinuations()), strconv.Itoa(v.MaxContinuations())},
	} {
		if s.Was != s.Now {
			all = append(all, Difference{What: "changed", Setting: &s})
		}
	}
	return all
}

// environment shows what settings give to handlers.
func environment(v manifest.View) string {
	var all []string
	for _, e := range v.Env() {
		if e.Live() {
			all = append(all, "what "+e.Path+" says")
		}
		for _, pair := range hookenv.Pairs(e.Values) {
			name, value, _ := strings.Cut(pair, "=")
			all = append(all, name+"="+harness.ShellQuote(value))
		}
	}
	return strings.Join(all, ", ")
}

// compare returns the differences: what is new or changed in the order of a session's events, then what is gone.
func compare(was, now []Placed) (all []Difference) {
	old, kept := map[string]*Placed{}, map[string]bool{}
	for i := range was {
		old[was[i].Name] = &was[i]
	}
	for i := range now {
		h, before := &now[i], old[now[i].Name]
		kept[h.Name] = true
		switch {
		case before == nil:
			all = append(all, Difference{What: "added", Now: h})
		case !reflect.DeepEqual(before, h):
			all = append(all, Difference{What: "changed", Now: h, Was: before})
		}
	}
	for i := range was {
		if !kept[was[i].Name] {
			all = append(all, Difference{What: "removed", Was: &was[i]})
		}
	}
	return all
}

// handlers reads a manifest exactly as the dispatcher does. A reader of another kind could be shown something else than what
// is run: the two need only differ in which of two equal keys holds.
func handlers(src []byte) (all []Placed, err error) {
	if src == nil {
		return nil, nil
	}
	v, err := manifest.Parse(src)
	if err != nil {
		return nil, err
	}
	for _, event := range harness.Events {
		list, err := v.All(event)
		if err != nil {
			return nil, err
		}
		for _, h := range list {
			all = append(all, Placed{string(event), h})
		}
	}
	return all, nil
}

// Lines shows a difference to a person, safe for a terminal.
func (d Difference) Lines() (all []string) {
	if d.Setting != nil && d.What == "added" {
		return []string{Plain("+ " + d.Setting.Name + ": " + d.Setting.Now)}
	}
	if d.Setting != nil {
		return []string{Plain("- " + d.Setting.Name + ": " + d.Setting.Was), Plain("+ " + d.Setting.Name + ": " + d.Setting.Now)}
	}
	if d.Was != nil {
		all = append(all, "- "+d.Was.describe())
	}
	if d.Now != nil {
		all = append(all, "+ "+d.Now.describe())
	}
	return all
}

// describe says in one line all that decides what is run, when, and what comes of it.
func (h *Placed) describe() string {
	s := h.Name + " on " + h.Event
	if h.Matcher != "" {
		s += " " + h.Matcher
	}
	if rest := h.settings(); rest != "" {
		s += " (" + rest + ")"
	}
	return Plain(s + ": " + h.Command())
}

// settings lists what is not as it usually is. It goes through the file's own form of the handler, so that a key that will be
// added to it cannot be forgotten here.
func (h *Placed) settings() string {
	raw, err := json.Marshal(h.Handler)
	if err != nil {
		panic("agree: a struct of strings and numbers does not encode: " + err.Error())
	}
	var parts []string
	gjson.ParseBytes(raw).ForEach(func(key, value gjson.Result) bool {
		switch key.String() {
		case "name", "matcher", "argv", "run": // shown already
			return true
		}
		if !usual[key.String()+":"+value.Raw] {
			parts = append(parts, key.String()+": "+strings.Trim(value.Raw, `"`))
		}
		return true
	})
	return strings.Join(parts, ", ")
}

// usual are the values that say nothing.
var usual = map[string]bool{"order:0": true, "timeout_ms:0": true, "block:true": true, `on_error:"allow"`: true}

// Plain makes visible what a terminal would obey or hide: control characters, and marks that turn the direction of writing.
func Plain(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	return b.String()
}

package agree

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// Difference is one handler that differs between the manifest that was agreed to and the one that stands there.
type Difference struct {
	What string  `json:"what"`          // added | changed | removed
	Now  *Placed `json:"now,omitempty"` // absent when it was removed
	Was  *Placed `json:"was,omitempty"` // absent when it was added
}

// Placed is a handler and the event that it runs on.
type Placed struct {
	Event string `json:"event"`
	manifest.Handler
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

// lines shows a difference to a person.
func (d Difference) lines() (all []string) {
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

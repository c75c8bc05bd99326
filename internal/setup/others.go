package setup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// Overlap is a hook of a harness's own, beside what it gets from lorimer.
type Overlap struct {
	Harness string
	Twice   bool   // it says the same as a handler, so that runs twice
	Text    string // what is said of it
}

// others says where hooks would fire twice: a harness that is served has hooks of its own that say the same, or reads another's
// file by itself.
func (c *Command) others(s *survey) (all []Overlap) {
	for _, h := range c.served(s) {
		if s.itself(h, false) {
			continue
		}
		if h.Hooks != nil {
			for _, p := range h.Hooks.Paths() {
				all = append(all, c.own(s, h, p)...)
			}
		}
		for _, p := range h.Reads {
			if i := slices.IndexFunc(s.Sources, func(x Source) bool { return x.File == p && x.Hooks > 0 && x.Counts }); i >= 0 {
				all = append(all, Overlap{h.ID, true, fmt.Sprintf("%s reads %s by itself, too, so %s in it would run twice there; `lorimer import` moves hooks to where each is served once, or leave %s out with --harness",
					h.Name, p, count(s.Sources[i].Hooks, "hook", "hooks"), h.Name)})
			}
		}
	}
	return all
}

// own looks at a hook config of the harness's own.
func (c *Command) own(s *survey, h *harness.Harness, file string) (all []Overlap) {
	data, err := plainfile.Settings(c.place(s.Root, file))
	if err != nil || len(h.Hooks.At) == 0 {
		return nil
	}
	hooks := gjson.GetBytes(data, h.Hooks.At[0])
	if !hooks.IsObject() && !hooks.IsArray() || len(hooks.Map())+len(hooks.Array()) == 0 {
		return nil
	}
	var said []string
	texts(hooks, func(t string) { said = append(said, t) })
	remedy := "take it out there"
	if h.Hooks.Native {
		remedy = "`lorimer import` takes it out there"
	}
	for _, r := range s.Handlers {
		if slices.Contains(said, r.Command) {
			all = append(all, Overlap{h.ID, true, fmt.Sprintf("%s stands in %s, too, so it would run twice in %s; %s", r.Name, file, h.Name, remedy)})
		}
	}
	foreign := slices.ContainsFunc(said, func(t string) bool { return t != "command" })
	if len(all) == 0 && foreign {
		all = append(all, Overlap{h.ID, false, fmt.Sprintf("%s has hooks of its own in %s; they go on running there, beside these", h.Name, file)})
	}
	return all
}

// texts calls f for every text in a JSON value that is not in an entry of lorimer's.
func texts(v gjson.Result, f func(string)) {
	starts := func(_, x gjson.Result) bool {
		return x.Type == gjson.String && strings.Contains(x.Str, materialize.DispatcherName)
	}
	if v.IsObject() && has(v, starts) {
		return
	}
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, x gjson.Result) bool { texts(x, f); return true })
	} else if v.Type == gjson.String {
		f(v.Str)
	}
}

// has says whether any member of a JSON value is of a kind.
func has(v gjson.Result, is func(key, value gjson.Result) bool) (found bool) {
	v.ForEach(func(k, x gjson.Result) bool { found = is(k, x); return !found })
	return found
}

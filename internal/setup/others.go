package setup

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// others says where hooks would fire twice: a harness that is served has hooks of its own that say the same, or reads another's
// file by itself.
func (c *Command) others(s *survey) (notes []string) {
	for _, h := range c.served(s) {
		if isNative(h) {
			continue
		}
		if h.Hooks != nil {
			for _, p := range h.Hooks.Paths() {
				notes = append(notes, c.own(s, h, p)...)
			}
		}
		for _, p := range h.Reads {
			if i := slices.IndexFunc(s.Sources, func(x Source) bool { return x.File == p && x.Hooks > 0 }); i >= 0 {
				notes = append(notes, fmt.Sprintf("%s reads %s by itself, too, so %s in it would run twice there; leave %s out with --harness, or switch that off in it",
					h.Name, p, count(s.Sources[i].Hooks, "hook", "hooks"), h.Name))
			}
		}
	}
	return notes
}

// own looks at a hook config of the harness's own.
func (c *Command) own(s *survey, h *harness.Harness, file string) (notes []string) {
	data, err := os.ReadFile(c.place(s, file))
	if err != nil || len(h.Hooks.At) == 0 {
		return nil
	}
	hooks := gjson.GetBytes(data, h.Hooks.At[0])
	if !hooks.IsObject() && !hooks.IsArray() || len(hooks.Map())+len(hooks.Array()) == 0 {
		return nil
	}
	var said []string
	texts(hooks, func(t string) { said = append(said, t) })
	for _, r := range s.Handlers {
		if slices.ContainsFunc(said, func(t string) bool { return t == r.Command }) {
			notes = append(notes, fmt.Sprintf("%s stands in %s, too, so it would run twice in %s; take it out there", r.Name, file, h.Name))
		}
	}
	foreign := slices.ContainsFunc(said, func(t string) bool { return !strings.Contains(t, materialize.DispatcherName) && t != "command" })
	if len(notes) == 0 && foreign {
		notes = append(notes, fmt.Sprintf("%s has hooks of its own in %s; they go on running there, beside these", h.Name, file))
	}
	return notes
}

// texts calls f for every text in a JSON value.
func texts(v gjson.Result, f func(string)) {
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, x gjson.Result) bool { texts(x, f); return true })
	} else if v.Type == gjson.String {
		f(v.Str)
	}
}

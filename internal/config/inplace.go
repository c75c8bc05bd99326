package config

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/hookenv"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Native returns the harnesses of the table whose own hooks are written in the protocol that handlers speak.
func Native(table []*harness.Harness) []*harness.Harness {
	return slices.DeleteFunc(slices.Clone(table), func(h *harness.Harness) bool { return h.Hooks == nil || !h.Hooks.Native })
}

// NativeFiles are the files in a clone that those harnesses read their hooks from, slash paths, the one that is overruled
// first.
func NativeFiles(table []*harness.Harness) (files []string) {
	for _, h := range Native(table) {
		for _, f := range []string{h.Hooks.Shared, h.Hooks.Local} {
			if f = path.Clean(f); f != "." && !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	return files
}

// UserFiles are the files below the user's home that those harnesses read hooks from, slash paths.
func UserFiles(table []*harness.Harness) (files []string) {
	for _, h := range Native(table) {
		if f := h.Hooks.User; f != "" && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	return files
}

// Place is a file that hooks may stand in.
type Place struct {
	Path    string // as the manifest names it: a slash path in the clone, or absolute
	Name    string // in messages
	User    bool   // it is the user's own, for every project
	Managed bool   // an organization set it, for everybody on the machine
}

// InPlace makes a configuration from hooks that stand in the files of a native harness; places has them, the one that is
// overruled first. read returns a file's bytes, nil when there is none; mine tells Lorimer's own entries. The configuration is
// nil when nothing in the files speaks of hooks. The harness that reads a file runs what stands in it by itself, so these
// handlers are for all the others.
func InPlace(table []*harness.Harness, places []Place, read func(path string) ([]byte, error), mine func(any) bool) (*Config, error) {
	c := &Config{file: names(places), inPlace: true}
	var faults strictyaml.Faults
	var say rulings
	anything := false
	for _, p := range places {
		data, err := read(p.Path)
		if err != nil {
			return nil, err
		}
		c.sources = append(c.sources, source{p.Path, keysOf(p), data})
		if data == nil {
			continue
		}
		s := p.reader(mine).Settings(data)
		faults = append(faults, s.Faults...)
		c.claude(s, IDs(runs(table, p)), p.Managed)
		c.addEnv(p, s.Env)
		if len(s.Entries) > 0 {
			c.hooked = append(c.hooked, asRead(p))
		}
		anything = anything || s.Any
		say.hear(p, s)
	}
	if !anything {
		return nil, nil
	}
	c.withoutTwins()
	c.rule(say)
	return c, faults.Err()
}

// withoutTwins: an organization's hook and somebody else's that says the same both run, but where their whole groups are equal.
func (c *Config) withoutTwins() {
	managed := map[string]bool{}
	for i := range c.Handlers {
		if h := &c.Handlers[i]; h.Managed {
			managed[string(h.Event.Event)+h.Group] = true
		}
	}
	c.Handlers = slices.DeleteFunc(c.Handlers, func(h Handler) bool { return !h.Managed && managed[string(h.Event.Event)+h.Group] })
}

// reader reads the place.
func (p Place) reader(mine func(any) bool) claudehooks.Reader {
	r := claudehooks.Reader{File: p.Name, Mine: mine, Managed: p.Managed}
	switch {
	case p.User:
		r.Prefix = "~/"
	case p.Managed: // a file of the folder beside it may be called anything
		if dir := path.Base(path.Dir(p.Path)); strings.HasSuffix(dir, ".d") {
			r.Prefix, r.InFolder = dir+"/", true
		}
	}
	return r
}

// keysOf are the keys of a place that the manifest depends on. The env of files outside of the clone is read when handlers run.
func keysOf(p Place) []string {
	keys := slices.Clone(claudehooks.Keys)
	switch {
	case p.Managed:
		return append(keys, claudehooks.OnlyKey)
	case p.User:
		return keys
	}
	return append(keys, claudehooks.EnvKey)
}

// addEnv notes what a file gives to the environment of hooks.
func (c *Config) addEnv(p Place, raw string) {
	e := manifest.Env{Path: p.Path}
	if values := hookenv.Of(raw, !e.Live()); len(values) > 0 {
		if !e.Live() {
			e.Values = values
		}
		c.env = append(c.env, e)
	}
}

// rulings are what files say about hooks as a whole. An organization's word counts by itself.
type rulings struct{ disabled, managedDisabled, only *bool }

func (r *rulings) hear(p Place, s claudehooks.Source) {
	disabled := &r.disabled
	if p.Managed {
		disabled = &r.managedDisabled
	}
	if s.Disabled != nil {
		*disabled = s.Disabled
	}
	if s.Only != nil {
		r.only = s.Only
	}
}

// rule takes out the handlers that do not run anywhere.
func (c *Config) rule(say rulings) {
	why := ""
	switch is := func(b *bool) bool { return b != nil && *b }; {
	case is(say.managedDisabled):
		c.Handlers, why = nil, "disableAllHooks is true in what is set for this machine, so no hook runs anywhere"
	case is(say.only):
		why = "allowManagedHooksOnly is set for this machine, so no other hooks than those that are set there run anywhere"
	case is(say.disabled) && say.managedDisabled == nil:
		why = "disableAllHooks is true, so no hook of them runs anywhere"
	}
	if why != "" {
		c.Handlers = slices.DeleteFunc(c.Handlers, func(h Handler) bool { return !h.Managed })
		c.warnings = append(c.warnings, c.file+": "+why)
	}
}

func names(places []Place) string {
	all := make([]string, len(places))
	for i, p := range places {
		all[i] = p.Name
	}
	return strings.Join(all, ", ")
}

// runs returns the harnesses that run what stands in the file without Lorimer: those whose file it is, and those that read it as
// well. Nobody can stop them, so Lorimer must not run it there once more.
func runs(table []*harness.Harness, p Place) []*harness.Harness {
	return slices.DeleteFunc(slices.Clone(table), func(h *harness.Harness) bool {
		native := h.Hooks != nil && h.Hooks.Native
		return !native && !slices.Contains(h.Reads, asRead(p))
	})
}

// asRead is the file as harness.Harness.Reads has it.
func asRead(p Place) string {
	if p.User {
		return p.Name
	}
	return path.Clean(p.Path)
}

// RunsItself says whether the harness runs these handlers by itself, from the files that they stand in.
func (c *Config) RunsItself(h *harness.Harness) bool {
	if !c.inPlace || h.Hooks == nil {
		return false
	}
	return h.Hooks.Native || slices.ContainsFunc(h.Reads, func(f string) bool { return slices.Contains(c.hooked, f) })
}

// byOtherRules says of which harness it is to be known that it runs the files' hooks by itself, and not as the harness does that
// they were written for.
func (c *Config) byOtherRules(picked []*harness.Harness) (warnings []string) {
	for _, h := range picked {
		if c.RunsItself(h) && !h.Hooks.Native {
			warnings = append(warnings, fmt.Sprintf("%s runs the hooks of %s by itself, and not in all as they were written for (see docs/hooks.md); "+
				"`lorimer import` moves them to where Lorimer runs them there", h.Name, c.file))
		}
	}
	return warnings
}

// claude adds what a reader found, as handlers for all harnesses but those of not.
func (c *Config) claude(s claudehooks.Source, not []string, managed bool) {
	for _, w := range s.Warnings {
		c.warnings = append(c.warnings, w.String())
	}
	for _, e := range s.Entries {
		h := handlerOf(e, not)
		h.Managed = managed
		c.Handlers = append(c.Handlers, h)
	}
}

func handlerOf(e claudehooks.Entry, not []string) Handler {
	at := func(text string) strictyaml.Str { return strictyaml.Str{Text: text, Pos: e.Pos} }
	h := Handler{
		Pos: e.Pos, File: e.File, Claude: true, Group: e.Group, Name: at(e.Name), Event: Event{Event: e.Event, Pos: e.Pos}, Matcher: Matcher{Text: e.Matcher},
		Timeout: strictyaml.Duration{D: e.Timeout, Text: e.Timeout.String(), Pos: e.TimeoutAt},
	}
	if d := claudehooks.DefaultTimeout(e.Event); e.Timeout == 0 && d < claudehooks.LongestTimeout {
		h.Timeout = strictyaml.Duration{D: d, Text: d.String()}
	}
	if e.If != "" {
		h.If = at(e.If)
	}
	if e.Async {
		h.Async = Bool{B: true, Pos: e.Pos}
	}
	for _, id := range not {
		h.Not = append(h.Not, at(id))
	}
	if e.Blocks {
		h.OnError = at(string(manifest.BlockOnFault))
	}
	if !e.Direct {
		h.Run = at(e.Command)
		return h
	}
	h.Argv = []strictyaml.Str{at(e.Command)}
	for _, a := range e.Args {
		h.Argv = append(h.Argv, at(a))
	}
	return h
}

package adopt

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/splice"
)

// duplicate is a config of an agent's own with hooks that handlers say, too.
type duplicate struct {
	path, real string
	old, now   []byte
	copy       string // where the old bytes go, below the clone
}

// duplicates finds what agents that are hooked would run twice. An agent that runs the hooks by itself runs them once.
func (c *Command) duplicates(clone *clonefs.FS, plan *materialize.Plan) (all []duplicate, err error) {
	view, err := manifest.Parse(plan.Manifest())
	if err != nil {
		return nil, err
	}
	for _, m := range plan.Harnesses {
		i := slices.IndexFunc(c.Table, func(h *harness.Harness) bool { return h.ID == m.ID })
		if m.Itself || i < 0 || c.Table[i].Hooks == nil {
			continue
		}
		for _, p := range c.Table[i].Hooks.Paths() {
			d, err := c.duplicate(clone, view, c.Table[i], p)
			if err != nil {
				return nil, err
			}
			if !bytes.Equal(d.old, d.now) {
				all = append(all, d)
			}
		}
	}
	return all, nil
}

// duplicate looks at one config in the clone. What stands in the user's own files is for every project, and stays.
func (c *Command) duplicate(clone *clonefs.FS, view manifest.View, h *harness.Harness, file string) (d duplicate, err error) {
	if strings.HasPrefix(file, "~/") || !c.Adopt(file) {
		return d, nil
	}
	d.path = file
	if d.real, err = clone.Resolve(file); err != nil {
		return d, err
	}
	if d.old, _, err = clone.Read(d.real); err != nil || d.old == nil {
		return duplicate{}, err
	}
	undo := []splice.Origin{}
	d.now = d.old
	for _, b := range h.Events {
		handlers, err := view.Handlers(b.Event, h.ID)
		if err != nil {
			return d, err
		}
		keys, err := materialize.CommandKeys(c.Golden, h.Hooks, b.Host)
		if err != nil {
			return d, err
		}
		at := materialize.HookPath(h.Hooks, b.Host)
		undo = append(undo, splice.Origin{At: at, Absent: true})
		r, err := splice.Put(splice.File{Name: file, Src: d.now, At: at, Force: true, Mine: func(element []byte) splice.Claim {
			if says(element, keys, handlers) {
				return splice.Ours
			}
			return splice.Foreign
		}}, nil, undo)
		if err != nil {
			return d, err
		}
		d.now = r.Src
	}
	d.copy = materialize.BackupName(clone, file)
	return d, nil
}

// says is true of an entry that does what handlers do, and nothing else: each of its commands is that of a handler which is asked
// about the same calls. An entry with a key that nobody knows here may do more, and is left alone.
func says(element []byte, keys []string, handlers []manifest.Handler) bool {
	v, err := splice.Decode(element)
	if err != nil || materialize.Ours(v) || !known(v, keys) {
		return false
	}
	matcher, rule := textAt(v, "matcher"), textAt(v, "if")
	commands := commandsIn(v, keys)
	return len(commands) > 0 && !slices.ContainsFunc(commands, func(text string) bool {
		return !slices.ContainsFunc(handlers, func(h manifest.Handler) bool {
			return h.Command() == text && (h.Matcher == matcher || everything(h.Matcher) && everything(matcher)) && h.If == rule && len(h.Files) == 0
		})
	})
}

func everything(matcher string) bool { return matcher == "" || matcher == "*" }

// known says whether all keys in an entry are those that make no difference to what is run, or that are compared.
func known(v any, keys []string) bool {
	switch v := v.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(x any) bool { return !known(x, keys) })
	case map[string]any:
		for key, x := range v {
			if !slices.Contains(keys, key) && !slices.Contains([]string{"hooks", "type", "args", "timeout", "name", "description", "statusMessage", "matcher", "if"}, key) || !known(x, keys) {
				return false
			}
		}
	}
	return true
}

// textAt is the first text under a key, at whatever depth.
func textAt(v any, key string) (found string) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			found = cmp.Or(found, textAt(x, key))
		}
	case map[string]any:
		text, _ := v[key].(string)
		found = text
		for _, x := range v {
			found = cmp.Or(found, textAt(x, key))
		}
	}
	return found
}

// commandsIn are the command lines in an entry: what stands under one of the keys, with the arguments beside it.
func commandsIn(v any, keys []string) (all []string) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			all = append(all, commandsIn(x, keys)...)
		}
	case map[string]any:
		for key, x := range v {
			text, isText := x.(string)
			switch args, split := v["args"].([]any); {
			case isText && slices.Contains(keys, key) && split:
				all = append(all, commandLine(text, args))
			case isText && slices.Contains(keys, key):
				all = append(all, text)
			case !isText:
				all = append(all, commandsIn(x, keys)...)
			}
		}
	}
	return all
}

// commandLine is a program with arguments as a handler's command is written.
func commandLine(program string, args []any) string {
	h := manifest.Handler{Argv: []string{program}}
	for _, a := range args {
		h.Argv = append(h.Argv, fmt.Sprint(a))
	}
	return h.Command()
}

// takeOut writes the copy, and then the file.
func (d duplicate) takeOut(clone *clonefs.FS) error {
	now, _, err := clone.Read(d.real)
	if err == nil && !bytes.Equal(now, d.old) {
		err = fmt.Errorf("%s was changed by someone else a moment ago and was left alone; run the command again", d.path)
	}
	if err == nil {
		err = materialize.Backup(clone, d.copy, d.old)
	}
	if err == nil {
		err = clone.Replace(d.real, d.now, clonefs.Options{Mode: 0o644, Keep: clonefs.Durable})
	}
	return err
}

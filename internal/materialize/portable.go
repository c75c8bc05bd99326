package materialize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/splice"
)

// A portable clone has its agents' files committed, so they are the same in every checkout: they name neither this machine nor this
// directory, and do nothing where there is no lorimer. The manifest, the record and what is agreed to stay local. Whether a clone
// is portable is read from the files themselves, so that who checks it out need not know.

// isPortable says whether the clone is to be portable: as the user says, else as it was.
func (o *Options) isPortable(clone *clonefs.FS) bool {
	if o.Portable != nil {
		return *o.Portable
	}
	return o.wasPortable(func(file string) []byte {
		data, _ := readFile(clone, file) // what cannot be read is said elsewhere
		return data
	})
}

// portableAt says whether another checkout is portable.
func (o *Options) portableAt(dir string) bool {
	return o.wasPortable(func(file string) []byte {
		data, _ := plainfile.Settings(filepath.Join(dir, filepath.FromSlash(file))) // none
		return data
	})
}

func (o *Options) wasPortable(read func(file string) []byte) bool {
	return slices.ContainsFunc(o.Table, func(h *harness.Harness) bool {
		switch {
		case h.Shim != nil && h.Shim.Project != "":
			c, ok := harness.ConfigOf(read(h.Shim.Project))
			return ok && c.Portable != ""
		case h.Hooks != nil && h.Hooks.Shared != "":
			return bytes.Contains(read(h.Hooks.Shared), []byte(portableFlag+" "+h.ID+" "))
		}
		return false
	})
}

const portableFlag = "--portable"

// projectFile is where a harness gets its hooks in the clone.
func (o *Options) projectFile(h *harness.Harness) string {
	if o.portable && h.Shim == nil && h.Hooks.Shared != "" {
		return h.Hooks.Shared
	}
	return projectFile(h)
}

// upwards is the way from a file's directory to the clone's root.
func upwards(file string) string {
	return strings.TrimSuffix(strings.Repeat("../", strings.Count(path.Clean(file), "/")), "/")
}

// portableGroup is an entry that starts the dispatcher through one line for a POSIX shell: it looks for the dispatcher, where
// lorimer keeps it and then on PATH, and passes where there is none; where a hook must not be passed over it blocks instead.
func portableGroup(group []byte, command func(words []string) string) ([]byte, error) {
	n, fault := claudehooks.JSON("", group)
	if fault != nil {
		return nil, fmt.Errorf("an entry of the generator's is no JSON: %s", fault)
	}
	intoLine(n, command)
	return json.RawMessage(n.Print(harness.Quoted, "")), nil
}

func intoLine(n *claudehooks.Node, command func(words []string) string) {
	for _, x := range n.Items {
		intoLine(x, command)
	}
	for i := range n.Members {
		value := n.Members[i].Value
		intoLine(value, command)
		if value.Kind != claudehooks.Text || !strings.HasPrefix(value.Text, dispatcherToken) {
			continue
		}
		words := strings.Fields(strings.TrimPrefix(value.Text, dispatcherToken))
		if args := n.Get("args"); len(words) == 0 && args != nil {
			for _, a := range args.Items {
				words = append(words, a.Text)
			}
			n.Members = slices.DeleteFunc(slices.Clone(n.Members), func(m claudehooks.Member) bool { return m.Key == "args" })
		}
		line := *value
		line.Text = command(slices.DeleteFunc(words, func(w string) bool { return w == "--root" || w == rootToken }))
		for j := range n.Members {
			if n.Members[j].Value == value {
				n.Members[j].Value = &line
			}
		}
		return
	}
}

func portableLine(words []string) string {
	otherwise := "exit 0"
	if slices.Contains(words, "--fail-closed") {
		otherwise = `{ echo "lorimer is not installed here, and this project has a hook that must not be passed over: https://github.com/lorimer-dev/lorimer" >&2; exit 2; }`
	}
	return `d="${LORIMER_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/lorimer}/bin/` + DispatcherName + `"; [ -x "$d" ] || d=$(command -v ` + DispatcherName +
		`) || ` + otherwise + `; exec "$d" ` + portableFlag + " " + idAndEvent(words)
}

// idAndEvent puts the flags behind: an entry is known by its flag and the harness's id, whatever else it says.
func idAndEvent(words []string) string {
	flags := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, "-") })
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.HasPrefix(w, "-") })
	return strings.Join(append(rest, flags...), " ")
}

// anyPortableLine is what entries of any version look like, as a template.
func anyPortableLine(words []string) string {
	return dispatcherToken + " " + portableFlag + " " + idAndEvent(words)
}

// entryForms are all that entries of ours at an event can look like, taken apart.
func (o Options) entryForms(h *harness.Hooks, hostEvent string) (all []any) {
	for _, failClosed := range []bool{false, true} {
		for _, t := range o.forms(h, hostEvent, failClosed) {
			v, _ := splice.Decode(t) // it was JSON a moment ago
			all = append(all, v)
		}
	}
	return all
}

// forms are what entries of ours at an event can look like: local, and portable.
func (o Options) forms(h *harness.Hooks, hostEvent string, failClosed bool) (all [][]byte) {
	o.portable = false
	t, err := o.template(h, hostEvent, failClosed)
	if err != nil {
		return nil
	}
	all = append(all, t)
	if line, err := portableGroup(t, anyPortableLine); err == nil && !o.user {
		all = append(all, line)
	}
	return all
}

// Committed returns what of the plan is about files that are committed, for machines that have the clone and nothing else: without
// what is local to a checkout, the user's own files and what is agreed to.
func (p *Plan) Committed() *Plan {
	c := *p
	c.User, c.exclude, c.Untrusted, c.stale, c.needed, c.needs = nil, nil, false, nil, nil, nil
	c.next = c.record.State
	c.after = encoded(c.next)
	c.before = c.after
	c.Changes = slices.DeleteFunc(slices.Clone(p.Changes), func(x Change) bool { return !p.Portable || strings.HasPrefix(x.Path, dir+"/") || p.local(x.Path) })
	return &c
}

// local says whether a file is one that git ignores by convention.
func (p *Plan) local(file string) bool {
	return slices.ContainsFunc(p.options.Table, func(h *harness.Harness) bool { return h.Hooks != nil && h.Hooks.Local == file })
}

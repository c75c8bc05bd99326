package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/hookenv"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// Hooks in settings find the `env` of these files in their environment, in every agent; those of a lorimer.yaml find its own. So what
// everybody's file says goes along, and stays where it is, too: the host takes it into its own environment. What only this checkout's
// file says may be a secret, and a lorimer.yaml is committed; it is named and left.

// readEnv notes what the files give to hooks.
func (m *mover) readEnv() error {
	private := map[string]bool{}
	for _, h := range config.Native(m.Table) {
		private[path.Clean(h.Hooks.Local)] = true
	}
	for _, name := range config.NativeFiles(m.Table) {
		f, err := m.read(name)
		if err != nil {
			return err
		}
		values := hookenv.Of(claudehooks.Reader{File: name, Mine: materialize.Ours}.Settings(f.old).Env, true)
		if names := slices.Sorted(maps.Keys(values)); len(names) > 0 && private[name] {
			m.left = append(m.left, left(name, names))
		} else if len(names) > 0 {
			m.env = values
		}
	}
	return m.outsideEnv()
}

// outsideEnv names what files outside of the clone gave to the hooks: it is nobody's to commit.
func (m *mover) outsideEnv() error {
	for _, p := range m.Outside(m.clone) {
		src, err := plainfile.Settings(filepath.FromSlash(p.Path))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w; look at its owner and mode", p.Name, err)
		}
		values := hookenv.Of(claudehooks.Reader{File: p.Name, Managed: p.Managed}.Settings(src).Env, false)
		if names := slices.Sorted(maps.Keys(values)); len(names) > 0 {
			m.left = append(m.left, left(p.Name, names))
		}
	}
	return nil
}

func left(file string, names []string) string {
	return fmt.Sprintf("%s: its env (%s) reaches the moved hooks in no other agent; what is no secret of it can stand under `env:` in %s",
		file, strings.Join(names, ", "), config.FileName)
}

// withEnv puts the variables that are not there into lorimer.yaml. One that has another value there keeps it.
func (m *mover) withEnv(src []byte) ([]byte, error) {
	var lines strings.Builder
	c, err := m.loaded(src)
	if err != nil {
		return nil, err
	}
	have := map[string]string{}
	for _, e := range c.Env {
		have[e.Key] = e.Value.Text
	}
	for _, pair := range hookenv.Pairs(m.env) {
		name, value, _ := strings.Cut(pair, "=")
		old, there := have[name]
		if there && old != value {
			m.left = append(m.left, fmt.Sprintf("%s: %s has another value in the env of the settings; it was left as it is", m.yaml.name, name))
		}
		if !there {
			m.copied = append(m.copied, name)
			lines.WriteString(scalar(name) + ": " + scalar(value) + "\n")
		}
	}
	if lines.Len() == 0 {
		return src, nil
	}
	return insertEnv(m.yaml.name, src, lines.String())
}

// insertEnv adds variables, a line each.
func insertEnv(name string, src []byte, lines string) ([]byte, error) {
	d, err := read(name, src)
	if err != nil {
		return nil, err
	}
	indented := func(indent string) string {
		return indent + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n"+indent) + "\n"
	}
	switch {
	case d.env == nil:
		d.add(len(d.lines), "env:\n"+indented("  "))
	case len(d.env.Content) == 0 || d.env.Style&yaml.FlowStyle != 0:
		return nil, fmt.Errorf("%s: `env:` is not laid out in lines that could be added to; write it in lines, and run `lorimer import` again", name)
	default:
		indent := d.env.Content[0].Column - 1
		d.add(d.after(d.env.Content[0].Line, indent), indented(strings.Repeat(" ", indent)))
	}
	return []byte(strings.Join(d.lines, "")), nil
}

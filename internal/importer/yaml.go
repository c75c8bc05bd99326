package importer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/config"
)

// document is a lorimer.yaml that groups of hooks are put into. Its text is the user's: lines are added and none is changed.
type document struct {
	lines []string   // each with its end
	hooks *yaml.Node // what stands under hooks:; nil = nothing
	env   *yaml.Node // under env:
	end   string     // of lines
}

// intoYAML returns lorimer.yaml with what is moved in it.
func (m *mover) intoYAML() ([]byte, error) {
	src := m.yaml.old
	if src == nil {
		src = []byte("version: 1\n# Hooks in Claude's own shape, for every agent; `handlers:` can say more.\n")
	}
	i := 0
	for _, s := range m.settings {
		for _, g := range s.groups {
			var fresh []*claudehooks.Node
			for _, h := range g.moved {
				if m.moved[i].Already = m.stands(src, g, h); !m.moved[i].Already {
					fresh = append(fresh, h)
				}
				i++
			}
			if len(fresh) == 0 {
				continue
			}
			g.moved = fresh
			next, err := insert(m.yaml.name, src, g.event, g.only())
			if err != nil {
				return nil, err
			}
			src = next
		}
	}
	return src, nil
}

// insert adds a group to an event's list.
func insert(name string, src []byte, event string, g *claudehooks.Node) ([]byte, error) {
	d, err := read(name, src)
	if err != nil {
		return nil, err
	}
	switch list := d.event(event); {
	case d.hooks == nil:
		d.add(len(d.lines), "hooks:\n  "+event+":\n"+block(g, "    "))
	case list == nil:
		indent := strings.Repeat(" ", d.hooks.Content[0].Column-1)
		d.add(d.after(d.hooks.Content[0].Line, d.hooks.Content[0].Column-1), indent+event+":\n"+block(g, indent+"  "))
	default:
		first := list.Content[0]
		indent := strings.Repeat(" ", d.dash(first))
		d.add(d.after(first.Line, len(indent)), block(g, indent))
	}
	return []byte(strings.Join(d.lines, "")), nil
}

// read finds the places in a lorimer.yaml. What is not laid out in lines is not edited by us.
func read(name string, src []byte) (*document, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(src, &root); err != nil {
		return nil, fmt.Errorf("%s: %w; mend it first", name, err)
	}
	d := &document{end: "\n"}
	if bytes.Contains(src, []byte("\r\n")) {
		d.end = "\r\n"
	}
	for line := range strings.Lines(string(src)) {
		d.lines = append(d.lines, line)
	}
	if n := len(d.lines); n > 0 && !strings.HasSuffix(d.lines[n-1], "\n") {
		d.lines[n-1] += d.end
	}
	byHand := fmt.Errorf("%s is not laid out in lines that hooks could be added to; put one hook of each event under `hooks:` in it by hand, in lines, and run `lorimer import` again", name)
	if len(root.Content) == 0 {
		return d, nil
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode || top.Style&yaml.FlowStyle != 0 || strings.Contains("\n"+string(src), "\n...") {
		return nil, byHand
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		if top.Content[i].Value == "hooks" {
			d.hooks = top.Content[i+1]
		}
		if top.Content[i].Value == "env" {
			d.env = top.Content[i+1]
		}
	}
	if d.hooks == nil {
		return d, nil
	}
	if !inLines(d.hooks, yaml.MappingNode) {
		return nil, byHand
	}
	for i := 1; i < len(d.hooks.Content); i += 2 {
		if !inLines(d.hooks.Content[i], yaml.SequenceNode) {
			return nil, byHand
		}
	}
	return d, nil
}

// inLines says whether a value is laid out in lines, and not empty.
func inLines(n *yaml.Node, kind yaml.Kind) bool {
	return n.Kind == kind && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0
}

func (d *document) event(name string) *yaml.Node {
	for i := 0; d.hooks != nil && i+1 < len(d.hooks.Content); i += 2 {
		if d.hooks.Content[i].Value == name {
			return d.hooks.Content[i+1]
		}
	}
	return nil
}

// dash is the column, from 0, of the dash in front of an item.
func (d *document) dash(item *yaml.Node) int {
	return strings.Index(d.lines[item.Line-1], "-")
}

// after is the index of the line behind all that begins at a line (from 1) and is indented by at least so much; comments and
// blank lines at its end belong to what follows.
func (d *document) after(line, indent int) int {
	last := line
	for i := line; i < len(d.lines); i++ {
		text := strings.TrimLeft(d.lines[i], " ")
		switch {
		case strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#"):
			continue
		case len(d.lines[i])-len(text) < indent:
			return last
		}
		last = i + 1
	}
	return last
}

// add puts lines before the one at an index.
func (d *document) add(at int, text string) {
	d.lines = slices.Insert(d.lines, at, strings.ReplaceAll(text, "\n", d.end))
}

// loaded reads a lorimer.yaml as materialize does.
func (m *mover) loaded(src []byte) (*config.Config, error) {
	return config.Load(m.yaml.name, src, config.IDs(config.Usable(m.Table)), config.Recognised(m.Table)...)
}

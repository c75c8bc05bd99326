package config

import (
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// claudeNode turns a YAML node into one that the reader of Claude's hooks knows.
func claudeNode(n *yaml.Node) *claudehooks.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	out := &claudehooks.Node{Pos: strictyaml.Place(n)}
	switch n.Kind {
	case yaml.MappingNode:
		out.Kind = claudehooks.Object
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			out.Members = append(out.Members, claudehooks.Member{Key: k.Value, Pos: strictyaml.Place(k), Value: claudeNode(n.Content[i+1])})
		}
	case yaml.SequenceNode:
		out.Kind = claudehooks.List
		for _, x := range n.Content {
			out.Items = append(out.Items, claudeNode(x))
		}
	case yaml.ScalarNode:
		scalar(out, n)
	}
	return out
}

func scalar(out *claudehooks.Node, n *yaml.Node) {
	switch n.Tag {
	case "!!str":
		out.Kind, out.Text = claudehooks.Text, n.Value
	case "!!bool":
		out.Kind, out.Bool = claudehooks.Bool, n.Value == "true"
	case "!!int", "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil {
			out.Kind, out.Number = claudehooks.Number, f
		}
	}
}

// hooks adds what stands under `hooks:` to the handlers. The file is Lorimer's own, so nothing in it is passed over: what
// Claude would drop is a fault.
func (l *loader) hooks() {
	if l.Hooks.Node == nil {
		return
	}
	s := claudehooks.Reader{File: l.file, Strict: true}.Hooks(claudeNode(l.Hooks.Node))
	l.faults = append(l.faults, s.Faults...)
	l.claude(s, nil, false)
}

// OfHooks makes a configuration of hooks that were read, for whoever wants to see what they come to.
func OfHooks(s claudehooks.Source) *Config {
	c := &Config{}
	c.claude(s, nil, false)
	return c
}

package strictyaml

import (
	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// DecodeYAML reads a mapping with keys of its own.
func (m *Map[V]) DecodeYAML(c *Context, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		c.Mismatch(n, "a mapping", "")
		return
	}
	*m = make(Map[V], 0, len(n.Content)/2)
	for k, x := range pairs(n) {
		if c.bad[k] {
			continue
		}
		e := Entry[V]{Key: k.Value, KeyPos: Place(k), Comment: CommentText(k.HeadComment, x.LineComment)}
		c.DecodeKey(k.Value, x, &e.Value)
		*m = append(*m, e)
	}
}

var jsonNumber = lazyre.Pattern{Expr: `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`}

// DecodeYAML reads any piece of YAML that can be written as JSON.
func (t *Tree) DecodeYAML(c *Context, n *yaml.Node) {
	t.Pos = Place(n)
	switch n.Kind {
	case yaml.MappingNode:
		t.Kind = Object
		c.Decode(n, &t.Object)
	case yaml.SequenceNode:
		t.Kind = List
		c.Decode(n, &t.List)
	default:
		t.scalar(c, n)
	}
}

func (t *Tree) scalar(c *Context, n *yaml.Node) {
	t.Text = n.Value
	switch {
	case n.Tag == "!!null" && n.Value != "":
		t.Kind, t.Text = Null, ""
	case n.Tag == "!!bool" && (n.Value == "true" || n.Value == "false"):
		t.Kind = Bool
	case (n.Tag == "!!int" || n.Tag == "!!float") && jsonNumber.Re().MatchString(n.Value):
		t.Kind = Number
	default:
		t.Kind = String
		t.Text, _ = c.TextOf(n, "a value that JSON has")
	}
}

package strictyaml

import (
	"fmt"
	"iter"

	"gopkg.in/yaml.v3"
)

// survey goes through the whole document once and reports what YAML would quietly make something else of. Nodes with a
// fault are marked, so that reading them does not complain a second time.
func (c *Context) survey(n *yaml.Node) { c.surveyAt(n, 1, false) }

func (c *Context) surveyAt(n *yaml.Node, depth int, flow bool) {
	c.flow[n] = flow
	if depth > maxDepth {
		c.condemn(n, Fault{What: "too many mappings and lists inside one another", Expected: fmt.Sprintf("at most %d levels", maxDepth)})
		return
	}
	if f, ok := c.property(n); ok {
		c.condemn(n, f)
		return
	}
	if n.Kind == yaml.MappingNode {
		c.surveyKeys(n)
	}
	flow = flow || n.Style&yaml.FlowStyle != 0
	for _, x := range n.Content {
		if !c.bad[x] {
			c.surveyAt(x, depth+1, flow)
		}
	}
}

func (c *Context) condemn(n *yaml.Node, f Fault) {
	c.Report(n, f)
	c.Bad(n)
}

// property finds a tag, an anchor or an alias. The node alone does not tell: of "! x" the parser keeps nothing but x.
func (c *Context) property(n *yaml.Node) (Fault, bool) {
	if n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && n.Style&yaml.TaggedStyle == 0 && n.Anchor == "" {
		return Fault{}, false
	}
	first := c.at(Place(n))
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "" || first == '&':
		return Fault{
			What:     "an anchor or an alias (" + clip(c.from(Place(n))) + ")",
			Expected: "the text itself",
			Hint:     "a text that begins with & or * needs single quotes",
		}, true
	case n.Style&yaml.TaggedStyle != 0 || first == '!':
		return Fault{
			What:     "a YAML tag (" + clip(c.from(Place(n))) + "), which swallows what it is written before",
			Expected: "a value without one",
			Hint:     "a text that begins with ! needs single quotes",
		}, true
	}
	return Fault{}, false
}

// surveyKeys checks the keys of one mapping, and marks those that do not count.
func (c *Context) surveyKeys(n *yaml.Node) {
	first := map[string]*yaml.Node{}
	for k, v := range pairs(n) {
		switch was := first[k.Value]; {
		case k.Kind != yaml.ScalarNode:
			c.condemn(k, Fault{What: "a key that is " + describe(k), Expected: "a text"})
			c.Bad(v)
		case k.Tag == "!!merge":
			c.condemn(k, Fault{What: "a merge key (<<)", Expected: "the keys themselves"})
			c.Bad(v)
		case k.Tag == "!!null":
			c.condemn(k, Fault{What: "a key without a name", Expected: "a text"})
		case was != nil:
			c.condemn(k, Fault{What: "the key " + quote(k.Value) + " is here a second time", Hint: fmt.Sprintf("it was set in line %d; take one of the two out", was.Line)})
		default:
			first[k.Value] = k
		}
	}
}

// from returns the rest of the line at a place.
func (c *Context) from(p Pos) string {
	col := 0
	line := c.lines[p.Line-1]
	for i := range line {
		if col++; col == p.Col {
			return line[i:]
		}
	}
	return ""
}

// pairs returns the keys and values of a mapping; none for any other node.
func pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(k, v *yaml.Node) bool) {
		if n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

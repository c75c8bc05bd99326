package claudehooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Kind is the type of a Node.
type Kind int

const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Object
)

// Node is a value of a configuration file that knows where it stands.
type Node struct {
	Kind    Kind
	Pos     strictyaml.Pos
	Bool    bool
	Number  float64
	Text    string
	Items   []*Node  // of a List
	Members []Member // of an Object, in the file's order
}

// Member is one key of an object.
type Member struct {
	Key   string
	Pos   strictyaml.Pos
	Value *Node
}

// Get returns the value of a key, nil when there is none. Of equal keys the last one counts, as in JavaScript.
func (n *Node) Get(key string) (found *Node) {
	for _, m := range n.Members {
		if m.Key == key {
			found = m.Value
		}
	}
	return found
}

// With returns a copy of an object with another value of a key that it has.
func (n *Node) With(key string, value *Node) *Node {
	out := *n
	out.Members = slices.Clone(n.Members)
	for i := range out.Members {
		if out.Members[i].Key == key {
			out.Members[i].Value = value
		}
	}
	return &out
}

// Value returns the node as encoding/json would decode it.
func (n *Node) Value() any {
	switch n.Kind {
	case Bool:
		return n.Bool
	case Number:
		return n.Number
	case Text:
		return n.Text
	case List:
		all := make([]any, len(n.Items))
		for i, x := range n.Items {
			all[i] = x.Value()
		}
		return all
	case Object:
		all := map[string]any{}
		for _, m := range n.Members {
			all[m.Key] = m.Value.Value()
		}
		return all
	}
	return nil
}

// maxDepth bounds the nesting of a file, because its parser recurses.
const maxDepth = 200

// JSON reads a JSON text: comments and trailing commas are faults, as they are to Claude. The fault says where.
func JSON(file string, src []byte) (*Node, *strictyaml.Fault) {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if err := checkJSON(src); err != nil {
		f := strictyaml.At(file, newPlaces(src).of(errorOffset(src, err)), "not valid JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
		return nil, &f
	}
	v, err := hujson.Parse(src)
	if err != nil {
		f := strictyaml.At(file, strictyaml.Pos{Line: 1, Col: 1}, "not valid JSON: %v", err)
		return nil, &f
	}
	return newPlaces(src).node(&v), nil
}

// checkJSON is strict where the parser is not.
func checkJSON(src []byte) error {
	depth, text := 0, false
	for i, c := range src {
		switch {
		case text && c == '"' && !escaped(src[:i]):
			text = false
		case text:
		case c == '"':
			text = true
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("nested more than %d levels deep", maxDepth)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	var v json.RawMessage
	return json.Unmarshal(src, &v)
}

func escaped(before []byte) bool {
	n := len(before) - len(bytes.TrimRight(before, `\`))
	return n%2 == 1
}

func errorOffset(src []byte, err error) int {
	if s, ok := err.(*json.SyntaxError); ok {
		return max(int(s.Offset)-1, 0)
	}
	return 0
}

// node turns a parsed value, which knows where it stands by its offset, into ours.
func (p *places) node(v *hujson.Value) *Node {
	n := &Node{Pos: p.of(v.StartOffset)}
	switch c := v.Value.(type) {
	case *hujson.Object:
		n.Kind = Object
		for i := range c.Members {
			m := &c.Members[i]
			n.Members = append(n.Members, Member{
				Key: m.Name.Value.(hujson.Literal).String(), Pos: p.of(m.Name.StartOffset), Value: p.node(&m.Value),
			})
		}
	case *hujson.Array:
		n.Kind = List
		for i := range c.Elements {
			n.Items = append(n.Items, p.node(&c.Elements[i]))
		}
	case hujson.Literal:
		switch c.Kind() {
		case '"':
			n.Kind, n.Text = Text, c.String()
		case 't', 'f':
			n.Kind, n.Bool = Bool, c.Bool()
		case '0':
			n.Kind = Number
			n.Number, _ = strconv.ParseFloat(string(c), 64)
		}
	}
	return n
}

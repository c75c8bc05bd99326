package strictyaml

import (
	"reflect"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// shape is what the tags of a struct say.
type shape struct {
	names    []string // in the struct's order
	fields   map[string]field
	required []string
}

type field struct {
	index int
	tag   reflect.StructTag
}

var shapes sync.Map // reflect.Type to *shape

func shapeOf(t reflect.Type) *shape {
	if sh, ok := shapes.Load(t); ok {
		return sh.(*shape)
	}
	sh := &shape{fields: map[string]field{}}
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "" || name == "-" {
			continue
		}
		sh.names = append(sh.names, name)
		sh.fields[name] = field{i, f.Tag}
		if option == "required" {
			sh.required = append(sh.required, name)
		}
	}
	shapes.Store(t, sh)
	return sh
}

// Keys returns the YAML keys of a struct type, in its order.
func Keys[T any]() []string { return shapeOf(reflect.TypeFor[T]()).names }

// fillPlace sets the fields Pos and Comment of a struct that has them.
func fillPlace(n *yaml.Node, v reflect.Value) {
	if p := v.FieldByName("Pos"); p.IsValid() && p.Type() == reflect.TypeFor[Pos]() {
		p.Set(reflect.ValueOf(Place(n)))
	}
	if s := v.FieldByName("Comment"); s.IsValid() && s.Kind() == reflect.String {
		s.SetString(mappingComment(n))
	}
}

// mappingComment returns the comment above a mapping and the one behind it, or behind its first value.
func mappingComment(n *yaml.Node) string {
	behind := n.LineComment
	if behind == "" && len(n.Content) > 1 {
		behind = n.Content[1].LineComment
	}
	return CommentText(n.HeadComment, behind)
}

// CommentText returns the text of YAML comments without their #: of the one above a node the last paragraph, and after it
// the one behind the node.
func CommentText(above, behind string) string {
	if i := strings.LastIndex(above, "\n\n"); i >= 0 {
		above = above[i+2:]
	}
	var lines []string
	for _, l := range strings.Split(above+"\n"+behind, "\n") {
		l = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l), "#"))
		if l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

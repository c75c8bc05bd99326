package strictyaml

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/meant"
)

// Decode reads a node into out, a pointer. A Decoder calls it for the parts of its node.
func (c *Context) Decode(n *yaml.Node, out any) { c.fill(n, reflect.ValueOf(out).Elem()) }

// DecodeKey reads the value of a key as Decode does, and lets faults name the key.
func (c *Context) DecodeKey(key string, n *yaml.Node, out any) {
	c.in(step{key: key}, func() { c.Decode(n, out) })
}

// DecodeEntry reads an entry of a list as Decode does, and lets faults say that it is one.
func (c *Context) DecodeEntry(n *yaml.Node, out any) {
	c.in(step{}, func() { c.Decode(n, out) })
}

func (c *Context) fill(n *yaml.Node, v reflect.Value) {
	if c.bad[n] {
		return
	}
	if d, ok := v.Addr().Interface().(Decoder); ok {
		d.DecodeYAML(c, n)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		c.fill(n, v.Elem())
	case reflect.Struct:
		c.fillStruct(n, v)
	case reflect.Slice:
		c.fillList(n, v)
	case reflect.Bool:
		c.fillBool(n, v)
	case reflect.Int:
		c.fillInt(n, v)
	case reflect.Float64:
		c.fillFloat(n, v)
	case reflect.String:
		var s Str
		s.DecodeYAML(c, n)
		v.SetString(s.Text)
	default:
		panic("strictyaml: no way to read into " + v.Type().String())
	}
}

func (c *Context) fillList(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.SequenceNode {
		hint := ""
		if n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
			hint = "write [" + clip(n.Value) + "]"
		}
		c.Mismatch(n, "a list", hint)
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, x := range n.Content {
		c.in(step{}, func() { c.fill(x, v.Index(i)) })
	}
}

func (c *Context) fillBool(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" || n.Value != "true" && n.Value != "false" {
		c.Mismatch(n, "true or false", "")
		return
	}
	v.SetBool(n.Value == "true")
}

func (c *Context) fillInt(n *yaml.Node, v reflect.Value) {
	var i Int
	i.DecodeYAML(c, n)
	v.SetInt(int64(i.N))
}

func (c *Context) fillFloat(n *yaml.Node, v reflect.Value) {
	f, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" && n.Tag != "!!float" || err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		c.Mismatch(n, "a number", "")
		return
	}
	v.SetFloat(f)
}

func (c *Context) fillStruct(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		c.Mismatch(n, "a mapping of "+strings.Join(shapeOf(v.Type()).names, ", "), "")
		return
	}
	if nn, ok := v.Addr().Interface().(Noun); ok && len(c.path) > 0 {
		c.path[len(c.path)-1].noun = nn.Noun()
	}
	before := len(c.faults)
	c.fillFields(n, v)
	fillPlace(n, v)
	if w, ok := v.Addr().Interface().(Validator); ok && len(c.faults) == before {
		w.Validate(c)
	}
}

func (c *Context) fillFields(n *yaml.Node, v reflect.Value) {
	sh := shapeOf(v.Type())
	seen := map[string]bool{}
	for k, x := range pairs(n) {
		if k.Kind == yaml.ScalarNode {
			seen[k.Value] = true
		}
		if c.bad[k] {
			continue
		}
		f, ok := sh.fields[k.Value]
		if !ok {
			c.unknownKey(k, v, sh.names)
			continue
		}
		c.in(step{key: k.Value, tag: f.tag}, func() { c.fill(x, v.Field(f.index)) })
	}
	for _, name := range sh.required {
		if !seen[name] {
			c.Report(n, Fault{What: fmt.Sprintf("%s has no %s, which it needs", c.place(), quote(name)), Hint: "add it"})
		}
	}
}

func (c *Context) unknownKey(k *yaml.Node, v reflect.Value, known []string) {
	hint := ""
	if a, ok := v.Addr().Interface().(KeyAdviser); ok {
		hint = a.AdviseKey(k.Value)
	}
	if hint == "" {
		hint = meant.DidYouMean(k.Value, known)
	}
	c.Report(k, Fault{What: fmt.Sprintf("unknown key %s in %s", quote(k.Value), c.place()), Expected: oneOf(known), Hint: hint})
}

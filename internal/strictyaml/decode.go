package strictyaml

import "gopkg.in/yaml.v3"

// Decode reads src, the text of the file that faults call file, into out, a pointer to a struct or to any type that
// implements Decoder. It returns Faults with everything that is wrong, in the file's order, or nil. What could be read is
// in out either way.
func Decode(file string, src []byte, out any) error {
	c := &Context{file: file, bad: map[*yaml.Node]bool{}, flow: map[*yaml.Node]bool{}}
	if !c.take(src) {
		return c.faults.Err()
	}
	root := c.parse()
	if root == nil {
		return c.faults.Err()
	}
	c.root = root
	c.survey(root)
	c.Decode(root, out)
	return c.faults.Err()
}

// Decoder is a type that reads its own node: one with a spelling of its own. Faults are reported through c. It is called
// with every kind of node, null included; a call to c.Decode reads a part of it by the usual rules.
type Decoder interface {
	DecodeYAML(c *Context, n *yaml.Node)
}

// Validator is a struct that can judge its values together. It is asked once they are all read, and only when none of them
// had a fault.
type Validator interface {
	Validate(c *Context)
}

// KeyAdviser is a struct that knows more about a key it does not have than that: that it belongs elsewhere, say. "" is no
// advice.
type KeyAdviser interface {
	AdviseKey(key string) string
}

// Noun is a struct with a name for people, such as "an event row". Others are named by their key.
type Noun interface {
	Noun() string
}

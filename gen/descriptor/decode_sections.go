package descriptor

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// DecodeYAML reads the sections, then checks what they say of each other.
func (d *Descriptor) DecodeYAML(c *reader, n *yaml.Node) {
	type sections Descriptor // without this method
	c.Decode(n, (*sections)(d))
	d.File, d.Source = c.File(), []byte(c.Text())
	check(c, d)
}

// DecodeYAML reads the rows as those of the descriptor's kind.
func (e *Events) DecodeYAML(c *reader, n *yaml.Node) {
	e.Pos = strictyaml.Place(n)
	if c.Top("hooks") != nil && c.Top("shim") == nil {
		c.Decode(n, &e.External)
		return
	}
	c.Decode(n, &e.Generative)
}

// Noun names the row in faults.
func (GenerativeRow) Noun() string { return "a generative event row" }

// Noun names the row in faults.
func (ExternalRow) Noun() string { return "an external event row" }

// AdviseKey tells a row of the other kind from a slip of the pen.
func (GenerativeRow) AdviseKey(key string) string {
	return otherRow(key, strictyaml.Keys[ExternalRow](), "external", "`hooks:`")
}

// AdviseKey tells a row of the other kind from a slip of the pen.
func (ExternalRow) AdviseKey(key string) string {
	return otherRow(key, strictyaml.Keys[GenerativeRow](), "generative", "`shim:`")
}

func otherRow(key string, keys []string, kind, section string) string {
	if !slices.Contains(keys, key) {
		return ""
	}
	return "that is a key of " + kind + " rows, and this descriptor has no " + section
}

// Noun names the predicate in faults.
func (Predicate) Noun() string { return "a predicate" }

// DecodeYAML reads a snippet, or `{ hold: SLOT, key: KEY }`.
func (x *Context) DecodeYAML(c *reader, n *yaml.Node) {
	x.Pos = strictyaml.Place(n)
	switch n.Kind {
	case yaml.SequenceNode:
		c.Mismatch(n, "JavaScript statements, or { hold: SLOT }", "")
		return
	case yaml.ScalarNode:
		c.Decode(n, &x.Do)
		return
	}
	var form heldContext
	c.Decode(n, &form)
	x.Hold, x.Key = form.Hold, form.Key
}

// DecodeYAML reads a path, a list of paths, or a mapping.
func (s *Source) DecodeYAML(c *reader, n *yaml.Node) {
	s.Pos = strictyaml.Place(n)
	switch n.Kind {
	case yaml.SequenceNode:
		c.Decode(n, &s.Paths)
	case yaml.MappingNode:
		var form sourceForm
		c.Decode(n, &form)
		s.Paths, s.Values, s.Cut, s.Value = form.Path.list, form.Values, form.Cut, form.Value
	default:
		s.Paths = make([]Path, 1)
		c.Decode(n, &s.Paths[0])
	}
}

// Validate holds the two ways to say where a value comes from against each other.
func (f *sourceForm) Validate(c *reader) {
	if (f.Path.list != nil) == f.Value.Set() {
		c.ReportAt(f.Pos, fault{What: "a source has path and value, or neither", Expected: "exactly one of them"})
	}
	if f.Cut.Set() && (f.Value.Set() || f.Values != nil) {
		c.ReportAt(f.Cut.Pos, fault{What: "a source has cut beside values or value", Expected: "path and cut alone"})
	}
}

// Validate sees that there is a way in which MCP tools are known.
func (m *MCP) Validate(c *reader) {
	if !m.Join.Set() && !m.Server.Set() || m.Server.Set() != m.Tool.Set() {
		c.ReportAt(m.Pos, fault{What: "tools.mcp does not say how a server and its tool are known", Expected: "join, or both server and tool, or all three"})
	}
}

// paths is one path or a list.
type paths struct{ list []Path }

func (p *paths) DecodeYAML(c *reader, n *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		c.Decode(n, &p.list)
		return
	}
	p.list = make([]Path, 1)
	c.Decode(n, &p.list[0])
}

// DecodeYAML reads `native`, or a mapping of base keys.
func (p *Payload) DecodeYAML(c *reader, n *yaml.Node) {
	p.Pos = strictyaml.Place(n)
	if n.Kind == yaml.MappingNode {
		c.Decode(n, &p.Keys)
		return
	}
	p.Native = saysWord(c, n, "native", "native, or a mapping of base keys")
}

// DecodeYAML reads one form, or forms by operating system.
func (a *Answer) DecodeYAML(c *reader, n *yaml.Node) {
	a.Pos = strictyaml.Place(n)
	if !hasKey(n, "default") {
		c.Decode(n, &a.Default)
		return
	}
	var forms answersByOS
	c.Decode(n, &forms)
	a.Default = forms.Default
	a.OS = byOS(forms.Linux, forms.Darwin, forms.Windows, func(f *Form) Pos { return f.Pos })
}

// DecodeYAML reads one path, or paths by operating system.
func (p *PerOS) DecodeYAML(c *reader, n *yaml.Node) {
	p.Pos = strictyaml.Place(n)
	if n.Kind != yaml.MappingNode {
		c.Decode(n, &p.Default)
		return
	}
	var by pathsByOS
	c.Decode(n, &by)
	p.OS = byOS(by.Linux, by.Darwin, by.Windows, func(f *FilePath) Pos { return f.Pos })
}

// Set says whether the key was there.
func (p PerOS) Set() bool { return !p.Pos.IsZero() }

func byOS[V any](linux, darwin, windows *V, pos func(*V) Pos) (m Map[V]) {
	for _, e := range []struct {
		os string
		v  *V
	}{{"linux", linux}, {"darwin", darwin}, {"windows", windows}} {
		if e.v != nil {
			m = append(m, strictyaml.Entry[V]{Key: e.os, KeyPos: pos(e.v), Value: *e.v})
		}
	}
	return m
}

// DecodeYAML reads `none`, or a mapping.
func (s *Strict) DecodeYAML(c *reader, n *yaml.Node) {
	s.Pos = strictyaml.Place(n)
	if n.Kind != yaml.MappingNode {
		s.None = saysWord(c, n, "none", "none, or a mapping of flag, note")
		return
	}
	var form strictForm
	c.Decode(n, &form)
	s.Flag, s.Note = form.Flag, form.Note
}

// DecodeYAML reads `none`, or a mapping.
func (t *Trust) DecodeYAML(c *reader, n *yaml.Node) {
	t.Pos = strictyaml.Place(n)
	if n.Kind != yaml.MappingNode {
		t.None = saysWord(c, n, "none", "none, or a mapping of do, user, seen, ask")
		return
	}
	var form trustForm
	c.Decode(n, &form)
	t.Do, t.User, t.Seen, t.Ask = form.Do, form.User, form.Seen, form.Ask
}

// saysWord says whether a section is the one word that may stand for it, and reports anything else.
func saysWord(c *reader, n *yaml.Node, word, expected string) bool {
	if n.Kind == yaml.ScalarNode && n.Value == word {
		return true
	}
	c.Mismatch(n, expected, "")
	return false
}

// DecodeYAML reads a list of arguments, or a mapping.
func (m *Method) DecodeYAML(c *reader, n *yaml.Node) {
	m.Pos = strictyaml.Place(n)
	if n.Kind == yaml.SequenceNode {
		c.Decode(n, &m.Argv)
		return
	}
	var form methodForm
	c.Decode(n, &form)
	m.Argv, m.Prompt = form.Argv, form.Prompt
}

// DecodeYAML reads an argument, or a flag with its value.
func (a *Arg) DecodeYAML(c *reader, n *yaml.Node) {
	a.Pos = strictyaml.Place(n)
	if n.Kind != yaml.MappingNode {
		c.Decode(n, &a.Value)
		return
	}
	var form argForm
	c.Decode(n, &form)
	a.Flag, a.Value, a.When = form.Flag, form.Value, form.When
}

func hasKey(n *yaml.Node, key string) bool {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

package plan

import (
	"strings"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// JSON writes a tree as JSON, with the file's key order. indent is one level's indentation; empty puts everything on one
// line without spaces.
func JSON(t descriptor.Tree, indent string) string {
	p := printer{indent: indent}
	p.value(t, 0)
	return p.b.String()
}

type printer struct {
	b      strings.Builder
	indent string
}

func (p *printer) value(t descriptor.Tree, level int) {
	switch t.Kind {
	case strictyaml.Object:
		p.members("{", "}", len(t.Object), level, func(i int) {
			p.b.WriteString(harness.Quoted(t.Object[i].Key) + ":")
			if p.indent != "" {
				p.b.WriteByte(' ')
			}
			p.value(t.Object[i].Value, level+1)
		})
	case strictyaml.List:
		p.members("[", "]", len(t.List), level, func(i int) { p.value(t.List[i], level+1) })
	case strictyaml.String:
		p.b.WriteString(harness.Quoted(t.Text))
	case strictyaml.Null:
		p.b.WriteString("null")
	default:
		p.b.WriteString(t.Text) // a number or a bool, as JSON spells it
	}
}

func (p *printer) members(open, end string, n, level int, each func(int)) {
	p.b.WriteString(open)
	for i := range n {
		if i > 0 {
			p.b.WriteByte(',')
		}
		p.newline(level + 1)
		each(i)
	}
	if n > 0 {
		p.newline(level)
	}
	p.b.WriteString(end)
}

func (p *printer) newline(level int) {
	if p.indent != "" {
		p.b.WriteString("\n" + strings.Repeat(p.indent, level))
	}
}

package materialize

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/lorimer-dev/lorimer/internal/owned"
)

// Verb says what happens to the file: create, update or remove.
func (c Change) Verb() string {
	switch {
	case c.Old == nil:
		return "create"
	case c.New == nil:
		return "remove"
	}
	return "update"
}

// Backup is where the old bytes are copied to, below the clone; empty when they are ours to replace.
func (c Change) Backup() string { return c.backup }

// Diff returns the change as a unified diff.
func (c Change) Diff() []byte {
	from, to := "a/"+c.Path, "b/"+c.Path
	if c.Old == nil {
		from = "/dev/null"
	}
	if c.New == nil {
		to = "/dev/null"
	}
	text := diff.Diff(from, c.Old, to, c.New)
	// The library begins with a line "diff a b", which is neither git's nor anybody else's.
	if _, rest, ok := bytes.Cut(text, []byte("\n")); ok && bytes.HasPrefix(text, []byte("diff ")) {
		text = rest
	}
	return text
}

// Diff returns everything that the plan changes in the clone as a unified diff. The ownership record, which is bookkeeping,
// is shown only when nothing else differs.
func (p *Plan) Diff() []byte {
	var b bytes.Buffer
	for _, c := range p.Changes {
		b.Write(c.Diff())
	}
	if len(p.Changes) == 0 && p.recordDiffers() {
		b.Write(Change{Path: owned.Path, Old: p.before, New: p.after()}.Diff())
	}
	return b.Bytes()
}

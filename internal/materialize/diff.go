package materialize

import (
	"bytes"
	"fmt"
	"slices"

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

// brief is Diff, but a generated file that comes or goes is only counted: hundreds of lines that nobody wrote would bury the
// few in a user's own file.
func (c Change) brief() []byte {
	whole := slices.Concat(c.Old, c.New)
	if c.Old != nil && c.New != nil || !bytes.Contains(whole[:min(len(whole), headerSize)], []byte(generatedMark)) {
		return c.Diff()
	}
	lines := bytes.SplitAfterN(c.Diff(), []byte("\n"), 3)
	return fmt.Appendf(nil, "%s%s(%d generated lines)\n", lines[0], lines[1], bytes.Count(whole, []byte("\n")))
}

// Diff returns what the plan changes in the clone as a unified diff for people. The ownership record, which is bookkeeping,
// is shown only when nothing else differs.
func (p *Plan) Diff() []byte {
	var b bytes.Buffer
	for _, c := range p.All() {
		b.Write(c.brief())
	}
	if len(p.All()) == 0 && p.recordDiffers() {
		b.Write(Change{Path: owned.Path, Old: p.before, New: p.after}.Diff())
	}
	return b.Bytes()
}

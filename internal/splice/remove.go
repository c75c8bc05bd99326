package splice

import (
	"bytes"
	"slices"
)

// remove takes the element out of the array at the path.
func (d *doc) remove(path []string, index int) error {
	t, err := d.follow(path, true)
	if err != nil {
		return err
	}
	return d.drop(t.last(), index, path)
}

// drop takes an item out of the box at the path, with one comma and the white space that stands before it. Comments
// around it stay.
func (d *doc) drop(b box, i int, path []string) error {
	it := b.items[i]
	comments, toLineEnd := lastComment(it.before)
	from, to := it.start-len(it.before)+comments, it.end
	var edits []edit
	switch last := i == len(b.items)-1; {
	case !last || b.trailing:
		if isBlank(it.after) {
			to = it.comma() + 1
		} else {
			edits = append(edits, edit{it.comma(), it.comma() + 1, ""})
		}
		if from == it.start && !last {
			to += len(d.text[to:]) - len(bytes.TrimLeft(d.text[to:], " \t"))
		}
	case i > 0:
		comma := b.items[i-1].comma()
		edits = append(edits, edit{comma, comma + 1, ""})
	}
	if o, ok := d.origin(path); ok && !o.Absent && len(b.items) == 1 && bytes.HasPrefix(d.text[to:], []byte(o.Text)) {
		to += len(o.Text)
	}
	if toLineEnd && !startsWithBreak(d.text[to:]) {
		from += bytes.IndexByte(d.text[from:], '\n') + 1 // else the comment would swallow what follows
	}
	return d.apply(append(edits, edit{from, to, ""})...)
}

func startsWithBreak(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\n")) || bytes.HasPrefix(text, []byte("\r\n"))
}

// prune takes out the containers that we made and that hold nothing any more, the innermost first.
func (d *doc) prune() error {
	made := slices.Clone(d.undo)
	slices.SortStableFunc(made, func(a, b Origin) int { return len(b.At) - len(a.At) })
	for _, o := range made {
		if !o.Absent || d.tree == nil {
			continue
		}
		if err := d.pruneOne(o); err != nil {
			return err
		}
	}
	return nil
}

func (d *doc) pruneOne(o Origin) error {
	if len(o.At) == 0 {
		return d.pruneDocument(o)
	}
	parent, key := o.At[:len(o.At)-1], o.At[len(o.At)-1]
	t, err := d.follow(parent, false)
	if err != nil || len(t.steps) < len(parent) {
		return nil // the user rebuilt that part: nothing of ours is in it
	}
	m, err := d.member(t.last(), key)
	if err != nil || m == nil {
		return nil
	}
	if b, ok := unbox(m.value); !ok || !b.vacant() || !isBlank(m.colon) {
		return nil
	}
	i := slices.IndexFunc(t.last().items, func(it item) bool { return it.start == m.start })
	return d.drop(t.last(), i, parent)
}

// pruneDocument gives a file that we filled its white space back.
func (d *doc) pruneDocument(o Origin) error {
	b, ok := unbox(d.tree)
	if ok && b.vacant() && isBlank(d.text[:b.start]) && isBlank(d.text[b.end:]) {
		return d.set([]byte(o.Text))
	}
	return nil
}

// vacant says whether the box holds neither an item nor a comment.
func (b box) vacant() bool { return len(b.items) == 0 && isBlank(b.extra) }

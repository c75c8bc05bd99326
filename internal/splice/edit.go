package splice

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// doc is a document that is being edited: its text without byte order mark, and the tree of that text.
type doc struct {
	file string
	text []byte
	tree *hujson.Value // nil when the text is blank
	undo []Origin
}

// set takes a new text and parses it.
func (d *doc) set(text []byte) error {
	d.text, d.tree = text, nil
	if isBlank(text) {
		return nil
	}
	tree, err := parse(d.file, text)
	d.tree = tree
	return err
}

// edit replaces the bytes from..to by text.
type edit struct {
	from, to int
	text     string
}

// apply makes the edits, which must not overlap, and parses the result. Edits at one place keep their order.
func (d *doc) apply(edits ...edit) error {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	done := 0
	for _, e := range edits {
		out.Write(d.text[done:e.from])
		out.WriteString(e.text)
		done = e.to
	}
	out.Write(d.text[done:])
	return d.set(out.Bytes())
}

// trail is the way from the root to a container: the boxes passed and the item taken in each.
type trail struct {
	boxes []box
	steps []int // steps[i] is the index in boxes[i] of the item that boxes[i+1] is
}

// last is the box that the trail leads to.
func (t trail) last() box { return t.boxes[len(t.boxes)-1] }

// follow walks along the path as far as there are members. It stops at the first missing one: then trail is shorter than
// the path. Values of the wrong type and double keys on the way are errors; the container at the end of the whole path must
// be an array when wantArray is set.
func (d *doc) follow(path []string, wantArray bool) (trail, error) {
	var t trail
	v := d.tree
	for depth := 0; ; depth++ {
		b, err := d.container(v, path[:depth], wantArray && depth == len(path))
		if err != nil {
			return t, err
		}
		t.boxes = append(t.boxes, b)
		if depth == len(path) {
			return t, nil
		}
		m, err := d.member(b, path[depth])
		if err != nil || m == nil {
			return t, err
		}
		t.steps = append(t.steps, slices.IndexFunc(b.items, func(it item) bool { return it.start == m.start }))
		v = m.value
	}
}

// container checks that the value at the path is of the kind that entries can be put into.
func (d *doc) container(v *hujson.Value, path []string, array bool) (box, error) {
	open, expected, empty := byte('{'), "an object", "{}"
	if array {
		open, expected, empty = '[', "an array", "[]"
	}
	b, ok := unbox(v)
	if ok && b.open == open {
		return b, nil
	}
	what := "the document is " + kindOf(v)
	fix := "make it " + empty
	if len(path) > 0 {
		what = quote(path[len(path)-1]) + " is " + kindOf(v)
		fix += " or take the key out"
	}
	return b, d.errorAt(v.StartOffset, what, expected, fix)
}

func (d *doc) errorAt(offset int, what, expected, fix string) *Error {
	return at(d.file, d.text, offset, what, expected, fix)
}

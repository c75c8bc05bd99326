package splice

import "slices"

// Origin remembers what one container was before an entry of ours went into it, so that taking the entry out leaves no
// trace. The caller keeps the list with the file and gives it to the next Put.
type Origin struct {
	// At is the path of the container; empty means the document itself.
	At []string `json:"at"`
	// Absent: there was no such container, we made it.
	Absent bool `json:"absent,omitempty"`
	// Text is, for an absent document, the white space that the file consisted of; for a container that was there but
	// empty, the white space that we put in front of its closing bracket.
	Text string `json:"text,omitempty"`
}

// origin returns what is remembered of the container at the path.
func (d *doc) origin(path []string) (Origin, bool) {
	for _, o := range d.undo {
		if slices.Equal(o.At, path) {
			return o, true
		}
	}
	return Origin{}, false
}

// remember replaces what is remembered of the container.
func (d *doc) remember(o Origin) {
	o.At = slices.Clone(o.At)
	d.forget(o.At)
	d.undo = append(d.undo, o)
}

func (d *doc) forget(path []string) {
	d.undo = slices.DeleteFunc(d.undo, func(o Origin) bool { return slices.Equal(o.At, path) })
}

// tidy keeps what concerns containers that hold entries of ours, outermost first, so that the list is the same whatever
// the order of the edits was.
func (d *doc) tidy(hits []hit) {
	d.undo = slices.DeleteFunc(d.undo, func(o Origin) bool {
		return !slices.ContainsFunc(hits, func(h hit) bool { return hasPrefix(h.at, o.At) })
	})
	slices.SortStableFunc(d.undo, func(a, b Origin) int { return slices.Compare(a.At, b.At) })
}

func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

package splice

import (
	"slices"

	"github.com/tailscale/hujson"
)

// foreign returns all that is not ours in the document as one string: brackets, keys, values and comments as they are
// spelled, without white space and commas. Elements of ours are left out, and so are containers of the given origins when
// nothing else is in them. Two documents with the same string hold the same for everyone but us.
func (f File) foreign(d *doc, origins []Origin) string {
	if d.tree == nil {
		return ""
	}
	w := foreignWriter{file: f, doc: d, origins: origins}
	w.comments(d.tree.BeforeExtra)
	w.value(d.tree, nil)
	w.comments(d.tree.AfterExtra)
	return string(w.out)
}

type foreignWriter struct {
	file    File
	doc     *doc
	origins []Origin
	out     []byte
}

func (w *foreignWriter) comments(extra []byte) {
	for i := 0; i < len(extra); i++ {
		if n := commentLen(extra[i:]); n > 0 {
			w.out = append(w.out, extra[i:i+n]...)
			w.out = append(w.out, '\n')
			i += n - 1
		}
	}
}

func (w *foreignWriter) value(v *hujson.Value, path []string) {
	b, ok := unbox(v)
	if !ok {
		w.out = append(w.out, v.Value.(hujson.Literal)...)
		w.out = append(w.out, '\n')
		return
	}
	whole := len(w.out)
	w.out = append(w.out, b.open)
	inner := len(w.out)
	for _, it := range b.items {
		w.item(b, it, path)
	}
	w.comments(b.extra)
	if len(w.out) == inner && w.optional(path) {
		w.out = w.out[:whole]
		return
	}
	w.out = append(w.out, b.open+2)
}

func (w *foreignWriter) item(b box, it item, path []string) {
	w.comments(it.before)
	defer w.comments(it.after)
	if b.open == '[' {
		if !w.mine(it, path) {
			w.value(it.value, append(slices.Clip(path), "[]"))
		}
		return
	}
	start := len(w.out)
	w.out = append(w.out, quote(it.key)+":"...)
	w.comments(it.colon)
	inner := len(w.out)
	w.value(it.value, append(slices.Clip(path), it.key))
	if len(w.out) == inner {
		w.out = w.out[:start]
	}
}

// mine says whether the element is one that scan finds.
func (w *foreignWriter) mine(it item, path []string) bool {
	if len(path) != len(w.file.At) {
		return false
	}
	for i, key := range w.file.At {
		if key != Any && key != path[i] {
			return false
		}
	}
	return w.file.Mine(w.doc.text[it.start:it.end]) != Foreign
}

func (w *foreignWriter) optional(path []string) bool {
	return slices.ContainsFunc(w.origins, func(o Origin) bool { return slices.Equal(o.At, path) })
}

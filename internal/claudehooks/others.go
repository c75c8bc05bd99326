package claudehooks

import "github.com/lorimer-dev/lorimer/internal/strictyaml"

// others are keys that are no business of hooks, and whose value makes Claude drop the whole file when it is of another type.
// These were measured on the real program; there are more.
var others = []struct {
	key      string
	kind     Kind
	expected string
}{
	{"permissions", Object, "an object"},
	{"env", Object, "an object"},
	{"model", Text, "a text"},
	{"statusLine", Object, "an object"},
	{"cleanupPeriodDays", Number, "a number"},
	{"allowedHttpHookUrls", List, "a list"},
}

// spoiled finds what makes Claude drop a file that has nothing wrong with its hooks.
func (r Reader) spoiled(top *Node) (strictyaml.Fault, bool) {
	for _, o := range others {
		if n := top.Get(o.key); n != nil && n.Kind != o.kind && n.Kind != Null {
			f := strictyaml.At(r.File, n.Pos, "%s is not %s", o.key, o.expected)
			f.Hint = "Claude runs no hook of this file, so no other agent does"
			return f, true
		}
	}
	return strictyaml.Fault{}, false
}

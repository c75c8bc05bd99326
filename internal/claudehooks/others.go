package claudehooks

import "github.com/lorimer-dev/lorimer/internal/strictyaml"

// others are keys of which the value, when it is of another type, makes Claude drop the whole file. All but the first are no business
// of hooks. These were measured on the real program; there are more. null is another type, too.
var others = []struct {
	key      string
	kind     Kind
	expected string
}{
	{"disableAllHooks", Bool, "no boolean"},
	{"permissions", Object, "not an object"},
	{"env", Object, "not an object"},
	{"model", Text, "not a text"},
	{"statusLine", Object, "not an object"},
	{"cleanupPeriodDays", Number, "not a number"},
	{"allowedHttpHookUrls", List, "not a list"},
}

// spoiled finds what makes Claude drop a file that has nothing wrong with its hooks.
func (r Reader) spoiled(top *Node) (strictyaml.Fault, bool) {
	for _, o := range others {
		if n := top.Get(o.key); n != nil && n.Kind != o.kind {
			return strictyaml.At(r.File, n.Pos, "%s is %s", o.key, o.expected), true
		}
	}
	return strictyaml.Fault{}, false
}

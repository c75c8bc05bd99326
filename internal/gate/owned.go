package gate

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// owned are the dotted keys of a document that some rendering of some catalog may write: what a merge takes out before it puts
// in what is rendered now, so that a lock of yesterday does not stay behind.
func (g *Gate) owned(file int) (keys []string) {
	for _, row := range g.Surfaces {
		if file == 0 {
			keys = append(keys, row.Also...)
		}
		if row.File != file || row.Set == "" && row.List == "" {
			continue
		}
		if row.List != "" {
			keys = append(keys, row.List)
		} else {
			keys = append(keys, g.setKeys(row)...)
		}
	}
	if g.Files[file].Marker {
		keys = append(keys, Owner)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// setKeys are the keys of a row for every name that some catalog gives it.
func (g *Gate) setKeys(row harness.GateSurface) (keys []string) {
	for _, c := range g.Catalogs {
		for _, f := range c.Features {
			for _, n := range f.Surfaces {
				if i := g.rowOf(n); i >= 0 && g.Surfaces[i].Kind == row.Kind && g.Surfaces[i].Set == row.Set {
					keys = append(keys, strings.ReplaceAll(row.Set, "{name}", n.Name))
				}
			}
		}
	}
	return keys
}

// merged is what a document has to say: theirs without our keys, and ours. Keys of the document's root stand back.
func (g *Gate) merged(theirs, ours tree, file int) tree {
	out := clone(theirs)
	keys := g.owned(file)
	for _, key := range keys {
		cut(out, parts(key))
	}
	for _, key := range keys {
		if v, ok := get(ours, key); ok {
			put(out, key, v)
		}
	}
	for key, v := range ours {
		if _, there := out[key]; !there {
			out[key] = v
		}
	}
	return out
}

func clone(t tree) tree {
	out := tree{}
	for key, v := range t {
		if inner, ok := v.(tree); ok {
			v = clone(inner)
		}
		out[key] = v
	}
	return out
}

// blocked is the first of our keys that cannot be put into a mapping, because something else stands on the way.
func blocked(theirs tree, keys []string) (key string, found bool) {
	for _, key := range keys {
		path := parts(key)
		for i := 1; i < len(path); i++ {
			at := strings.Join(path[:i], ".")
			if v, there := get(theirs, at); there && v != nil {
				if _, mapping := v.(tree); !mapping {
					return at, true
				}
			}
		}
	}
	return "", false
}

package splice

import (
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// box is an object or an array, seen as one thing: a list of items between two brackets.
type box struct {
	open       byte // '{' or '['
	start, end int  // offsets of the opening bracket and behind the closing one
	items      []item
	extra      []byte // white space and comments before the closing bracket
	trailing   bool   // a comma stands behind the last item
}

// item is an element of an array, or a member of an object with its key.
type item struct {
	key        string // decoded; empty in an array
	start, end int    // without white space and comments
	before     []byte // white space and comments since the bracket or the comma
	colon      []byte // white space and comments on both sides of the colon
	after      []byte // white space and comments up to the comma
	value      *hujson.Value
}

// comma is the offset of the comma behind the item. Only meaningful where there is one.
func (it item) comma() int { return it.end + len(it.after) }

// unbox returns the box that v is, and false for a scalar.
func unbox(v *hujson.Value) (box, bool) {
	b := box{start: v.StartOffset, end: v.EndOffset}
	switch c := v.Value.(type) {
	case *hujson.Object:
		b.open, b.extra = '{', c.AfterExtra
		for i := range c.Members {
			name, val := &c.Members[i].Name, &c.Members[i].Value
			b.items = append(b.items, item{
				key: name.Value.(hujson.Literal).String(), start: name.StartOffset, end: val.EndOffset,
				before: name.BeforeExtra, after: val.AfterExtra, value: val,
				colon: slices.Concat(name.AfterExtra, val.BeforeExtra),
			})
		}
	case *hujson.Array:
		b.open, b.extra = '[', c.AfterExtra
		for i := range c.Elements {
			val := &c.Elements[i]
			b.items = append(b.items, item{
				start: val.StartOffset, end: val.EndOffset, before: val.BeforeExtra, after: val.AfterExtra, value: val,
			})
		}
	default:
		return b, false
	}
	if n := len(b.items); n > 0 {
		b.trailing = b.items[n-1].after != nil // how the parser marks it
	}
	return b, true
}

// member returns the one item with the key, nil when there is none. Two with the same key are an error: hosts take the
// last, people read the first.
func (d *doc) member(b box, key string) (*item, error) {
	var found *item
	for i := range b.items {
		if b.items[i].key != key {
			continue
		}
		if found != nil {
			return nil, d.errorAt(b.items[i].start, fmt.Sprintf("the key %q stands twice in one object", key), "one",
				"take one of them out")
		}
		found = &b.items[i]
	}
	return found, nil
}

// kindOf names a value's type as a person would.
func kindOf(v *hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	}
	return "a number"
}

package splice

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/tailscale/hujson"
)

// hit is an element that is ours.
type hit struct {
	at    []string // path of the array
	index int
	start int
	value []byte
	claim Claim
}

// scan finds all elements of ours, in the order of the document.
func (f File) scan(d *doc) []hit {
	var hits []hit
	if d.tree != nil {
		f.walk(d, d.tree, nil, &hits)
	}
	return hits
}

func (f File) walk(d *doc, v *hujson.Value, path []string, hits *[]hit) {
	b, ok := unbox(v)
	if !ok {
		return
	}
	if len(path) < len(f.At) {
		for _, it := range b.items {
			if b.open == '{' && (f.At[len(path)] == Any || f.At[len(path)] == it.key) {
				f.walk(d, it.value, append(slices.Clip(path), it.key), hits)
			}
		}
		return
	}
	if b.open != '[' {
		return
	}
	for i, it := range b.items {
		value := d.text[it.start:it.end]
		if claim := f.Mine(value); claim != Foreign {
			*hits = append(*hits, hit{at: path, index: i, start: it.start, value: value, claim: claim})
		}
	}
}

// hasComment says whether there is a comment in the JSON text.
func hasComment(text []byte) bool {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			i = skipString(text, i)
		case commentLen(text[i:]) > 0:
			return true
		}
	}
	return false
}

// Equal says whether two JSON texts mean the same: layout, comments and the order of keys do not count, the spelling of
// numbers does. Texts that are not JSON equal nothing.
func Equal(a, b []byte) bool {
	x, errX := Decode(a)
	y, errY := Decode(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

// Decode reads a JSON text, which may hold comments and trailing commas; numbers stay as they are spelled (json.Number).
func Decode(text []byte) (any, error) {
	std, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(std))
	dec.UseNumber()
	var v any
	err = dec.Decode(&v)
	return v, err
}

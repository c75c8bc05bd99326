package gate

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// tree is a config as JSON has it: maps, lists, texts, booleans, numbers.
type tree = map[string]any

// parts takes a dotted key apart.
func parts(key string) []string { return strings.Split(key, ".") }

// get returns the value at a dotted key.
func get(t tree, key string) (any, bool) {
	path := parts(key)
	for _, p := range path[:len(path)-1] {
		inner, ok := t[p].(tree)
		if !ok {
			return nil, false
		}
		t = inner
	}
	v, ok := t[path[len(path)-1]]
	return v, ok
}

// put sets the value at a dotted key. What is no mapping on the way is replaced by one.
func put(t tree, key string, value any) {
	path := parts(key)
	for _, p := range path[:len(path)-1] {
		inner, ok := t[p].(tree)
		if !ok {
			inner = tree{}
			t[p] = inner
		}
		t = inner
	}
	t[path[len(path)-1]] = value
}

// cut takes the value at a dotted key out, and the mappings that are empty without it.
func cut(t tree, path []string) {
	inner, nested := t[path[0]].(tree)
	if len(path) == 1 {
		delete(t, path[0])
	} else if nested {
		if cut(inner, path[1:]); len(inner) == 0 {
			delete(t, path[0])
		}
	}
}

// parsed reads JSON that the generator or we wrote.
func parsed(data []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// encoded writes JSON, keys sorted by bytes, texts as they are read.
func encoded(v any, indent string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		panic(err) // trees are made of what JSON has
	}
	return b.Bytes()
}

// same compares two values as JSON.
func same(a, b any) bool { return bytes.Equal(encoded(a, ""), encoded(b, "")) }

// sorted are the keys of a mapping, by bytes.
func sorted(t tree) []string { return slices.Sorted(maps.Keys(t)) }

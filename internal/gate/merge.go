package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// merge returns the text of a document that stands at a path: ours alone when there is nothing of anybody else's in it, else
// theirs with our keys in it, their bytes and comments kept. old is nil when there is no file. An error says why the file is
// refused: what cannot be read is never replaced.
func (g *Gate) merge(f File, old []byte) ([]byte, error) {
	if len(bytes.TrimSpace(old)) == 0 {
		return f.Text, nil
	}
	edit := mergeJSON
	if g.Files[f.doc].Format == "yaml" && !json.Valid(old) { // JSON is YAML, too
		edit = mergeYAML
	}
	text, err := edit(g, f, old)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was written", f.Path, err)
	}
	return text, nil
}

// check reads what a document says, and refuses one that our keys cannot be put into.
func (g *Gate) check(theirs any, f File) (tree, error) {
	if theirs == nil {
		return tree{}, nil
	}
	t, ok := theirs.(tree)
	if !ok {
		return nil, fmt.Errorf("it is no mapping at its top; make it one, or move it away")
	}
	if key, found := blocked(t, g.owned(f.doc)); found {
		return nil, fmt.Errorf("%s is no mapping, and the gate has a key in it; make it one, or take it out", key)
	}
	return t, nil
}

// alone says whether nothing of a document is anybody else's: what it says is rendered, now or by another set of features.
func (g *Gate) alone(theirs tree, f File) bool {
	rest := clone(theirs)
	for _, key := range g.owned(f.doc) {
		cut(rest, parts(key))
	}
	for key, v := range f.tree {
		if r, there := rest[key]; there && same(r, v) {
			delete(rest, key)
		}
	}
	return len(rest) == 0
}

const ownsPrefix = "# Lorimer owns these keys of this file and replaces them: "

// mergedHeader says which keys of a merged document are ours.
func mergedHeader(keys []string) string {
	return ownsPrefix + strings.Join(keys, ", ") + ". The rest is yours.\n"
}

// isHeader says whether a line is one of ours.
func isHeader(line string) bool {
	return strings.HasPrefix(line, ownsPrefix) || line == strings.TrimSuffix(Header, "\n")
}

// rendered are our keys that a document has now.
func (g *Gate) rendered(f File) []string {
	return slices.DeleteFunc(g.owned(f.doc), func(key string) bool {
		_, there := get(f.tree, key)
		return !there
	})
}

package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// mergeJSON edits a JSON document, with comments or without: what is not ours keeps its bytes. The key of ours says which
// keys are ours.
func mergeJSON(g *Gate, f File, old []byte) ([]byte, error) {
	value, err := hujson.Parse(old)
	if err != nil {
		return nil, fmt.Errorf("it is not valid JSON (%w)", err)
	}
	plain := value.Clone()
	plain.Standardize()
	theirs, err := parsed(plain.Pack())
	if err != nil {
		return nil, fmt.Errorf("it is not valid JSON (%w)", err)
	}
	have, err := g.check(theirs, f)
	if err != nil {
		return nil, err
	}
	if g.alone(have, f) && value.IsStandard() {
		return f.Text, nil
	}
	ours := f
	if g.Files[f.doc].Marker {
		ours.tree = clone(f.tree)
		put(ours.tree, Owner+".owns", g.rendered(f))
	}
	want := g.merged(have, ours.tree, f.doc)
	if same(have, want) {
		return old, nil
	}
	patch := changes(have, want, "")
	if err := value.Patch(encoded(patch, "")); err != nil {
		return nil, fmt.Errorf("the gate cannot be put into it (%w)", err)
	}
	layOut(&value, have)
	text := value.Pack()
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	return text, nil
}

type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

// changes are the edits that make one tree of the other.
func changes(have, want tree, at string) (all []operation) {
	for _, key := range sorted(have) {
		if _, stays := want[key]; !stays {
			all = append(all, operation{Op: "remove", Path: at + pointer(key)})
		}
	}
	for _, key := range sorted(want) {
		old, there := have[key]
		a, isTree := old.(tree)
		b, wantsTree := want[key].(tree)
		switch {
		case there && isTree && wantsTree:
			all = append(all, changes(a, b, at+pointer(key))...)
		case !there || !same(old, want[key]):
			all = append(all, operation{"add", at + pointer(key), bytes.TrimSpace(encoded(want[key], "  "))})
		}
	}
	return all
}

// pointer is a key as a JSON pointer has it.
func pointer(key string) string {
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// layOut puts the members that are new at the top on lines of their own, where the others are.
func layOut(v *hujson.Value, have tree) {
	o, ok := v.Value.(*hujson.Object)
	if !ok || len(o.Members) == 0 {
		return
	}
	before := string(o.Members[0].Name.BeforeExtra)
	i := strings.LastIndexByte(before, '\n')
	if i < 0 {
		return
	}
	for n := range o.Members {
		m := &o.Members[n]
		if _, old := have[m.Name.Value.(hujson.Literal).String()]; !old {
			m.Name.BeforeExtra, m.Value.BeforeExtra = hujson.Extra(before[i:]), hujson.Extra(" ")
		}
	}
}

//go:build linux

package engine_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/usage"
)

// TestTheKeysOfAnswers: who reads the answers relies on their keys; the golden file is the closed list of them.
func TestTheKeysOfAnswers(t *testing.T) {
	var out strings.Builder
	for _, a := range []struct {
		command string
		answer  any
	}{
		{"where", engine.Where{}}, {"init", engine.Init{}}, {"train, rebase", engine.Trained{}}, {"spawn", engine.Spawned{}},
		{"continue", engine.Continued{}}, {"wait", engine.Waited{}}, {"list", engine.Listed{}}, {"usage", usage.Report{}},
		{"expire", engine.Expiry{}}, {"kill", engine.Ended{}}, {"tick", engine.Ticked{}},
		{"a line of ledger.jsonl", record.Result{}}, {"registry.json", record.Registry{}},
	} {
		fmt.Fprintf(&out, "# %s\n", a.command)
		for _, key := range keysOf(reflect.TypeOf(a.answer), "") {
			fmt.Fprintln(&out, key)
		}
		out.WriteByte('\n')
	}
	goldentest.Compare(t, "testdata/keys.golden", out.String())
}

// keysOf lists the keys that encoding/json writes for the type: `a.b` for an object in an object, `a[]` for the elements of a
// list, `a{}` for those of a map, and a ? behind what may be left out.
func keysOf(t reflect.Type, at string) (keys []string) {
	switch {
	case t.Implements(reflect.TypeFor[json.Marshaler]()):
		return nil
	case t.Kind() == reflect.Pointer:
		return keysOf(t.Elem(), at)
	case t.Kind() == reflect.Slice:
		return keysOf(t.Elem(), at+"[]")
	case t.Kind() == reflect.Map:
		return keysOf(t.Elem(), at+"{}")
	case t.Kind() != reflect.Struct:
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
			continue
		case f.Anonymous && name == "":
			keys = append(keys, keysOf(f.Type, at)...)
			continue
		case name == "":
			name = f.Name + " (no name)"
		}
		path := strings.TrimPrefix(at+"."+name, ".")
		shown := path
		if strings.Contains(options, "omit") {
			shown += "?"
		}
		keys = append(append(keys, shown), keysOf(f.Type, path)...)
	}
	return keys
}

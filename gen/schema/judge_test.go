package schema

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/schema"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// judge is both readers of one format.
type judge struct {
	schema *jsonschema.Schema
	load   func(name string, src []byte) error
	only   func(strictyaml.Fault) string
}

func compile(t testing.TB, s *schema.Schema) *jsonschema.Schema {
	t.Helper()
	data, err := s.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:///schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("mem:///schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// disagreement says how the two readers differ about a text, "" when they do not; fault is the loader's.
func (j judge) disagreement(name string, src []byte) (d string, fault error) {
	fault = j.load(name, src)
	return j.holds(fault, src), fault
}

func (j judge) holds(fault error, src []byte) string {
	value, err := asEditorsSee(src)
	if err != nil {
		if fault == nil {
			return "an editor cannot read what the loader takes: " + err.Error()
		}
		return ""
	}
	refused := j.schema.Validate(value)
	structural := firstStructural(fault, j.only)
	switch {
	case fault == nil && refused != nil:
		return fmt.Sprintf("the loader takes it, the schema does not: %v", refused)
	case structural != "" && refused == nil:
		return "the schema takes it, the loader does not: " + structural
	}
	return ""
}

func firstStructural(err error, only func(strictyaml.Fault) string) string {
	for _, f := range faultsOf(err) {
		if only(f) == "" {
			return f.String()
		}
	}
	return ""
}

func faultsOf(err error) (faults strictyaml.Faults) {
	errors.As(err, &faults)
	return faults
}

// asEditorsSee turns YAML into JSON's values by the core schema of YAML 1.2, as editors do.
func asEditorsSee(src []byte) (any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return value(doc.Content[0]), nil
}

func value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.AliasNode:
		return value(n.Alias)
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = value(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, x := range n.Content {
			list = append(list, value(x))
		}
		return list
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil {
			return f
		}
	}
	return n.Value
}

func read(t testing.TB, patterns ...string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", p, err)
		}
		for _, f := range files {
			if all[f], err = os.ReadFile(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

package schema

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/schema"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// loaderOnly are the faults that a schema cannot see, because it sees values: one line a reason, and how such a fault begins.
// The loader may refuse more than the schema, never less.
var loaderOnly = []struct{ reason, fault string }{
	{"YAML's own spellings are gone before a schema is asked", `^a YAML tag|^an anchor or an alias|^a merge key|^the key ".*" is here a second time|^a second document|^not valid YAML|^more than \d+ levels|^a key (that is|without)`},
	{"YAML 1.1 reads more words as booleans than editors do", `which YAML 1.1 reads as a boolean|is the boolean (TRUE|True|FALSE|False)`},
	{"a date without quotes is a text to an editor", `is the date `},
	{"no value and null are one thing to a schema, and null is an expression", `has no value; expected (one )?JavaScript`},
	{"characters that nobody sees", `^the (control )?character U`},
	{"JavaScript is parsed", `^JavaScript: |is JavaScript whose text YAML changes|parameter, |is not one JavaScript parameter|which a parameter cannot|closes a bracket|is two expressions`},
	{"names are looked up in other sections", `^unknown name |is already taken|means two things here|shim.session (names|has no)|no row uses|there is no answer|on channel|needs its session|names channel|which no row|no row of gates|there is no method|nothing in stream|when is "|keep_by is|^fake\.|no effect$|names the harness itself|looks at|which nobody reads`},
	{"tokens in texts", `^unknown token|has no place for the entry|hooks.entry (has|starts)`},
	{"one entry of a list is held against another", `^the (last )?range |^the last entry|^this entry|cannot be merged`},
	{"the file's name is not in the file", `but the file is `},
	{"a regular expression is RE2's, and its groups are counted", `does not compile|pattern has no group|the environment is tested by both`},
	{"a gjson path is more than a pattern", `the gjson path`},
	{"what a row does is held against what it cannot", `and that the host cannot|and says that the host cannot|would give the host Claude's`},
	{"what an imitated host has hangs on the descriptor's kind", `^the payload of|fake has not|has nothing that could be proven`},
}

// onlyTheLoaderSees returns why a schema cannot see the fault, "" when it can.
func onlyTheLoaderSees(f strictyaml.Fault) string {
	for _, x := range loaderOnly {
		if regexp.MustCompile(x.fault).MatchString(strings.TrimPrefix(strings.TrimPrefix(f.String(), f.File), fmt.Sprintf(":%d:%d: ", f.Line, f.Col))) {
			return x.reason
		}
	}
	return ""
}

// judge is both readers of one format.
type judge struct {
	schema *jsonschema.Schema
	load   func(name string, src []byte) error
	only   func(strictyaml.Fault) string
}

func descriptors(t testing.TB) judge {
	t.Helper()
	s, err := Descriptor()
	if err != nil {
		t.Fatal(err)
	}
	load := func(name string, src []byte) error {
		_, err := descriptor.LoadFile(name, src)
		return err
	}
	return judge{compile(t, s), load, onlyTheLoaderSees}
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
func (j judge) disagreement(name string, src []byte) (fault error, d string) {
	fault = j.load(name, src)
	return fault, j.holds(fault, src)
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
	var faults strictyaml.Faults
	errors.As(err, &faults)
	for _, f := range faults {
		if only(f) == "" {
			return f.String()
		}
	}
	return ""
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

const (
	goodOnes   = "../descriptor/testdata/good/*.yaml"
	brokenOnes = "../descriptor/testdata/broken/*.yaml"
	builtIn    = "../../harnesses/*.yaml"
)

func TestGoodDescriptorsPassBoth(t *testing.T) {
	j := descriptors(t)
	for name, src := range read(t, goodOnes, builtIn) {
		if fault, d := j.disagreement(filepath.Base(name), src); fault != nil || d != "" {
			t.Errorf("%s: %v %s", name, fault, d)
		}
	}
}

// Every broken descriptor whose fault a schema can see is refused by both; and for every reason on the list there is one
// that has it.
func TestBrokenDescriptorsFailBoth(t *testing.T) {
	j := descriptors(t)
	seen, structural := map[string]bool{}, 0
	for name, src := range read(t, brokenOnes) {
		err, d := j.disagreement("harnesses/"+filepath.Base(name), src)
		if d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if firstStructural(err, j.only) != "" {
			structural++
		}
		var faults strictyaml.Faults
		errors.As(err, &faults)
		for _, f := range faults {
			seen[j.only(f)] = true
		}
	}
	for _, x := range loaderOnly {
		if !seen[x.reason] {
			t.Errorf("no broken descriptor has a fault of the kind %q: drop it from the list", x.reason)
		}
	}
	if structural < 25 {
		t.Errorf("only %d broken descriptors have a fault that a schema could see", structural)
	}
}

// Whatever is done to a good descriptor, a fault that a schema can see is seen by both, and nothing that the loader takes is
// refused by the schema.
func TestMutatedDescriptorsAgree(t *testing.T) {
	agreeOnMutants(t, descriptors(t), read(t, goodOnes, builtIn), 40)
}

func agreeOnMutants(t *testing.T, j judge, good map[string][]byte, rounds int) {
	t.Helper()
	refused, taken := 0, 0
	for name, src := range good {
		r := rand.New(rand.NewPCG(1, uint64(len(src))))
		for range rounds {
			mutant, what := mutate(t, r, src)
			fault, d := j.disagreement(filepath.Base(name), mutant)
			if d != "" {
				t.Errorf("%s: %s: %s", name, what, d)
			}
			if fault != nil {
				refused++
			} else {
				taken++
			}
		}
	}
	if refused < rounds || taken < rounds/10 {
		t.Errorf("of the mutants %d were refused and %d taken: too one-sided to show anything", refused, taken)
	}
}

// mutate changes one place of a document and says how.
func mutate(t *testing.T, r *rand.Rand, src []byte) (mutant []byte, what string) {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		t.Fatal(err)
	}
	var inner []*yaml.Node
	walk(doc.Content[0], func(n *yaml.Node) {
		if len(n.Content) > 0 {
			inner = append(inner, n)
		}
	})
	what = mutateNode(r, inner[r.IntN(len(inner))])
	out, err := yaml.Marshal(&doc)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return out, what
}

func walk(n *yaml.Node, f func(*yaml.Node)) {
	f(n)
	for _, x := range n.Content {
		walk(x, f)
	}
}

// foreign are values that may or may not be of the right type.
var foreign = []string{"null", "[]", "{}", "x", "'1'", "7", "-3", "0.5", "true", "[x]", "{ x: y }", "[{ key: x, present: true }]", "30s", "none", "~/x/y", "../x", `"*"`, "Stop"}

func mutateNode(r *rand.Rand, n *yaml.Node) string {
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	i := step * r.IntN(len(n.Content)/step)
	place := fmt.Sprintf("line %d, %q", n.Content[i].Line, n.Content[i].Value)
	switch r.IntN(5) {
	case 0:
		n.Content = append(n.Content[:i:i], n.Content[i+step:]...)
		return place + " taken out"
	case 1:
		n.Content[i].Value += "x"
		return place + " misspelt"
	case 2:
		last := i + step - 1
		text := foreign[r.IntN(len(foreign))]
		n.Content[last] = parsed(text)
		return place + " is " + text
	case 3:
		n.Content = append(n.Content, parsed("extra"), parsed("extra"))[:len(n.Content)+step]
		return place + ": its neighbour is extra"
	}
	j := step * r.IntN(len(n.Content)/step)
	n.Content[i+step-1], n.Content[j+step-1] = n.Content[j+step-1], n.Content[i+step-1]
	return place + fmt.Sprintf(" changed with line %d", n.Content[j].Line)
}

func parsed(text string) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		panic(err)
	}
	return doc.Content[0]
}

// FuzzAgreement is TestMutatedDescriptorsAgree without an end, with several mutations at a time.
func FuzzAgreement(f *testing.F) {
	f.Add(uint64(1), uint8(0), uint8(1))
	j, good := descriptors(f), read(f, goodOnes, builtIn)
	names := slices.Sorted(maps.Keys(good))
	f.Fuzz(func(t *testing.T, seed uint64, file, mutations uint8) {
		name := names[int(file)%len(names)]
		src, r := good[name], rand.New(rand.NewPCG(seed, 0))
		for range 1 + mutations%3 {
			if mutant, _ := mutate(t, r, src); yaml.Unmarshal(mutant, new(yaml.Node)) == nil {
				src = mutant // what YAML's own writer gets wrong is not ours to judge
			}
		}
		if _, d := j.disagreement(filepath.Base(name), src); d != "" {
			t.Errorf("%s\n%s", d, src)
		}
	})
}

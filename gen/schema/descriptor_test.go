package schema

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// loaderOnly are the faults that a schema cannot see, because it sees values: one line a reason, and how such a fault begins.
// The loader may refuse more than the schema, never less.
var loaderOnly = []struct{ reason, fault string }{
	{"YAML's own spellings are gone before a schema is asked", `^a YAML tag|^an anchor or an alias|^a merge key|^the key ".*" is here a second time|^a second document|^not valid YAML|^too many mappings|^a key (that is|without)`},
	{"YAML 1.1 reads more words as booleans than editors do", `which YAML 1.1 reads as a boolean|is the boolean (TRUE|True|FALSE|False)`},
	{"a date without quotes is a text to an editor", `is the date `},
	{"no value and null are one thing to a schema, and null is an expression", `has no value; expected (one )?JavaScript`},
	{"characters that nobody sees", `^the (control )?character U`},
	{"JavaScript is parsed", `^JavaScript: |is JavaScript whose text YAML changes|parameter, |is not one JavaScript parameter|which a parameter cannot|closes a bracket|is two expressions`},
	{"names are looked up in other sections", `^unknown name |is already taken|means two things here|shim.session (names|has no)|no row uses|there is no answer|on channel|needs its session|names channel|which no row|no row of gates|there is no method|nothing in stream|when is "|keep_by is|^fake\.|no effect$|names the harness itself|looks at|which nobody reads|^payload has no base key|^gates.files has|the gate has none|no catalog of gates|^gates.prove.files: |^nothing shows whether|^nothing points the host`},
	{"what a probe has to have hangs on its key", `^the probe of`},
	{"a token in a text asks for another key", `^the file has no path`},
	{"a mapping may be empty in a schema", `^gates.catalogs has no catalog|^hooks.files.managed names no file`},
	{"tokens in texts", `^unknown token|has no place for the entry|hooks.entry (has|starts)|trust.ask.(grant|write) does not`},
	{"one entry of a list is held against another", `^the (last )?range |^the last entry|^this entry|cannot be merged`},
	{"the file's name is not in the file", `but the file is `},
	{"a regular expression is RE2's, and its groups are counted", `does not compile|pattern has no group|the environment is tested by both`},
	{"a gjson path is more than a pattern", `the gjson path`},
	{"a pattern of paths is parsed", `^unless has the pattern`},
	{"what a row does is held against what it cannot", `and that the host cannot|and says that the host cannot|would give the host Claude's|that could be wrong|that a new loop begins|that it is given later|which cannot give it|^a source has cut`},
	{"a label is one range's alone", `is as of ".*" already`},
	{"what an imitated host has hangs on the descriptor's kind", `^the payload of|fake has not`},
	{"and what tools has, too", `^tools\.(absolute|text|mcp\.server) means`},
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

const (
	goodOnes   = "../descriptor/testdata/good/*.yaml"
	brokenOnes = "../descriptor/testdata/broken/*.yaml"
	builtIn    = "../../harnesses/*.yaml"
)

func TestGoodDescriptorsPassBoth(t *testing.T) {
	j := descriptors(t)
	for name, src := range read(t, goodOnes, builtIn) {
		if d, fault := j.disagreement(filepath.Base(name), src); fault != nil || d != "" {
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
		d, err := j.disagreement("harnesses/"+filepath.Base(name), src)
		if d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if firstStructural(err, j.only) != "" {
			structural++
		}
		for _, f := range faultsOf(err) {
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
		if d, _ := j.disagreement(filepath.Base(name), src); d != "" {
			t.Errorf("%s\n%s", d, src)
		}
	})
}

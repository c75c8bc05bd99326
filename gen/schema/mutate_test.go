package schema

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"gopkg.in/yaml.v3"
)

func agreeOnMutants(t *testing.T, j judge, good map[string][]byte, rounds int) {
	t.Helper()
	if testing.Short() {
		rounds /= 5
	}
	refused, taken := 0, 0
	for name, src := range good {
		r := rand.New(rand.NewPCG(1, uint64(len(src))))
		for range rounds {
			mutant, what := mutate(t, r, src)
			d, fault := j.disagreement(filepath.Base(name), mutant)
			if d != "" {
				t.Fatalf("%s: %s: %s", name, what, d)
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

package templates

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The commands that the skill teaches are those of `lorimer hal`, and its roles and times those of the vectors.
func TestTheHALsSkillNamesEveryCommand(t *testing.T) {
	b, err := os.ReadFile("skills/runtime-hal/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	help, err := os.ReadFile("../internal/sense/cli/cli.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := os.ReadFile("../internal/sense/cli/state.go")
	if err != nil {
		t.Fatal(err)
	}
	var known, named []string
	for _, m := range regexp.MustCompile(`Use: +"([a-z]+)`).FindAllStringSubmatch(string(help)+string(more), -1) {
		if m[1] != "hal" {
			known = append(known, m[1])
		}
	}
	for _, m := range regexp.MustCompile("\\| `lorimer hal ([a-z]+)").FindAllStringSubmatch(string(b), -1) {
		named = append(named, m[1])
	}
	slices.Sort(known)
	slices.Sort(named)
	if named = slices.Compact(named); len(known) != 6 || !slices.Equal(known, named) {
		t.Errorf("the skill teaches %v, there are %v", named, known)
	}
	for _, want := range []string{"\nname: runtime-hal\n", "GT_RUNTIME", "300 s", "120 s", "GT_GUPP_STRATEGY", "never"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("it does not say %q", want)
		}
	}
}

package templates

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestTheGremlinsSkillSaysWhatCountsMost(t *testing.T) {
	b, err := os.ReadFile("skills/gremlins/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, want := range []string{"600000", "SPIRE_GREMLIN_CHILD", "--paths", "\nname: gremlins\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if n := strings.Count(text, "\n"); n < 120 || n > 180 {
		t.Errorf("it has %d lines; between 120 and 180 are read", n)
	}
}

// Commands of the skill are those of the program: cmd/lorimer-gremlins holds its --help against the same list.
func TestTheSkillNamesEveryCommand(t *testing.T) {
	b, err := os.ReadFile("skills/gremlins/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(string(b), -1) {
		named = append(named, m[1])
	}
	help, err := os.ReadFile("../cmd/lorimer-gremlins/testdata/help.json.golden")
	if err != nil {
		t.Fatal(err)
	}
	list, _, _ := strings.Cut(string(help), "\n  ]")
	known := regexp.MustCompile(`(?m)^    "([a-z]+)"`).FindAllStringSubmatch(list, -1)
	if len(known) != len(named) || len(known) != 12 {
		t.Errorf("%d commands in --help, %v in the skill", len(known), named)
	}
	for _, k := range known {
		if !strings.Contains(" "+strings.Join(named, " ")+" ", " "+k[1]+" ") {
			t.Errorf("the skill does not name %s", k[1])
		}
	}
}

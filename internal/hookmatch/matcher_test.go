package hookmatch

import (
	"errors"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/jsregexp"
)

// Claude's rule, as measured on it: names match exactly, everything else is an expression.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		matcher string
		names   string // separated by blanks
		want    bool
	}{
		{"", "Bash", true}, {"*", "Bash", true}, {"Bash", "Bash", true},
		{"bash", "Bash", false}, {"B", "Bash", false}, {"Bas", "Bash", false}, {"Bashes", "Bash", false},
		{"Bash|Read", "Read", true}, {"Bash|Read", "Write", false}, {"Bash, Read", "Read", true}, {"Bash,Read", "Bash", true},
		{" Bash | Read ", "Bash", true}, {"Bash|", "Bash", true}, {"|", "Bash", false}, {"Bash|", "", true},
		{"mcp__memory", "mcp__memory__write", false}, {"mcp__a-b__c", "mcp__a-b__c", true}, {"mcp__a-b", "mcp__a-b__c", false},
		{"^Bash$", "Bash", true}, {"Ba.*", "Bash", true}, {"as.", "Bash", true}, {"^as", "Bash", false}, {"ba.*", "Bash", false},
		{"mcp__.*", "mcp__memory__write", true}, {"mcp__memory__.*", "mcp__other__x", false},
		{"Edit|Wri.*", "Write", true}, {"Bash(echo *)", "Bash", false},
		{"^(?!Read).*", "Bash", true}, {"^(?!Read).*", "Read", false}, {"^(?!(AskUserQuestion)$)", "Bash", true},
		{"Agent", "Task Agent", true}, {"^Ag.*t$", "Task Agent", true}, {"Read", "Task Agent", false},
		{"Bash", "", true}, // a call that has no name cannot be told apart
	} {
		got, err := Fits(c.matcher, strings.Fields(c.names))
		if got != c.want || err != nil {
			t.Errorf("%q on %q: got %v, %v", c.matcher, c.names, got, err)
		}
		if err := Check(c.matcher); err != nil {
			t.Errorf("%q: %v", c.matcher, err)
		}
	}
}

func TestNoExpression(t *testing.T) {
	for _, matcher := range []string{"(?i)bash", "[", "(?:Bash", "Bash)", "*Bash", `Bash\`} {
		if fits, err := Fits(matcher, []string{"Bash"}); fits || err == nil || !strings.Contains(err.Error(), "no regular expression") {
			t.Errorf("%q: %t, %v", matcher, fits, err)
		}
		if Check(matcher) == nil {
			t.Errorf("%q was taken", matcher)
		}
	}
	if fits, err := Fits(`^(\w+)+!$`, []string{strings.Repeat("a", 50)}); fits || !errors.Is(err, jsregexp.ErrTooLong) {
		t.Errorf("%t, %v", fits, err)
	}
}

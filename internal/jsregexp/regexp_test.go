package jsregexp

import (
	"errors"
	"strings"
	"testing"
)

// What is right was asked of node 20 and of the host itself (e2e, "matcher: expressions").
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		expr, yes, no string // texts, one a line; "" in front of a line end is the empty text
	}{
		{`^(?!Read|Grep).*`, "Bash\nWrite", "Read\nGrep\nReadMcpResource"},
		{`^(?!(Glob|Grep|Read)$).*`, "Bash\nReadMcpResource", "Glob\nRead"},
		{`(?!mcp__brain__).*`, "Bash\nmcp__brain__x", ""}, // not anchored, so it says nothing
		{`^mcp__(?!memory__)`, "mcp__files__read", "mcp__memory__store\nBash"},
		{`^(?:(?!mcp__)\w)+$`, "Bash", "mcp__x"},
		{`Ba(?=sh)`, "Bash", "Bar"},
		{`(?<=Ba)sh`, "Bash", "sh"},
		{`(?<!Ba)sh`, "sh\nfish", "Bash"},
		{`^(?<first>\w)\w*\k<first>$`, "abba", "abc"},
		{`\u0042ash|\x57rite`, "Bash\nWrite", "bash"},
		{`^B[^]sh$`, "Bash\nB\u2028sh", "Bsh"},
		{`^\p{Lu}ash$`, "p{Lu}ash", "Bash"},
		{`Bash{,5}`, "Bash{,5}", "Bash"},
		{`^(?:(a)|b)*\1$`, "ab", ""}, // a group is forgotten when what repeats it begins anew
		{`^(?:(?!(a))b|a)\1$`, "a", "aa"},
		{`^(?:(?=(a))b|a)\1$`, "a", "aa"},
		{`^\s+$`, " \t\u00a0\ufeff\u2003\u2028", "\u180e"},
		{`^.$`, "a\nä", "😀"}, // two units
	} {
		re, err := Compile(c.expr)
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		for want, texts := range map[bool]string{true: c.yes, false: c.no} {
			for text := range strings.SplitSeq(texts, "\n") {
				if got, err := re.Match(text); err != nil || got != want && texts != "" {
					t.Errorf("%s in %q: %t, %v, want %t", c.expr, text, got, err, want)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for expr, want := range map[string]string{
		`(?i)bash`:       "unknown kind of group at character 2",
		`(Bash`:          "missing ) at character 6",
		`Bash)`:          "unmatched ) at character 5",
		`[a`:             "missing ] at character 3",
		`*`:              "nothing to repeat at character 2",
		`a{2,1}`:         "numbers out of order in {} at character 7",
		`[b-a]`:          "range out of order in [] at character 5",
		`a\`:             `nothing behind \ at character 3`,
		`(?<n>a)(?<n>b)`: "two groups have one name at character 13",
		`(?<n>a)\k<m>`:   `\k with a name that no group has at character 13`,
		`(?<1>a)`:        "a group's name is no identifier at character 4",
	} {
		if _, err := Compile(expr); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", expr, err, want)
		}
	}
}

func TestTooLong(t *testing.T) {
	re, err := Compile(`^(a+)+$`)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := re.Match(strings.Repeat("a", 40) + "b"); found || !errors.Is(err, ErrTooLong) {
		t.Errorf("%t, %v", found, err)
	}
}

func FuzzMatch(f *testing.F) {
	f.Add(`^(?!Read).*`, "Bash")
	f.Add(`(?<n>a*)*\k<n>{2,}`, "aaaa")
	f.Fuzz(func(t *testing.T, expr, text string) {
		if re, err := Compile(expr); err == nil && len(text) < 1000 {
			_, _ = re.Match(text)
		}
	})
}

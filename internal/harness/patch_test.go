package harness

import (
	"slices"
	"testing"
)

func TestWhatAPatchTouches(t *testing.T) {
	p := Patch{Paths: `^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to):[ \t]*(.*\S)`, Adds: `^\s*\*\*\* Add File:[ \t]*(.*\S)`, Line: "+"}
	for text, want := range map[string][]Touch{
		"":                               nil,
		"*** Begin Patch\n*** End Patch": nil,
		"*** Add File: a b\n+1\n+\n+ 2\n*** End Patch\n+no":         {{"a b", true, "1\n\n 2\n"}},
		"*** Add File: a\n*** Update File: b\n@@\n+x\n-y":           {{"a", true, ""}, {"b", false, ""}},
		"*** Update File: a\n*** Move to: b\n*** Delete File: c":    {{"a", false, ""}, {"b", false, ""}, {"c", false, ""}},
		"*** Update File: a\n+*** Add File: b\n":                    {{"a", false, ""}},
		"\t*** Add File:a\r\n+1\r\n":                                {{"a", true, "1\r\n"}},
		"*** Update File: a\n*** Update File: a":                    {{"a", false, ""}},
		"*** Delete File: a\n*** Add File: a\n+1":                   {{"a", false, ""}, {"a", true, "1\n"}},
		"*** Add File: a\n+1\n*** Add File: b\n*** Add File: a\n+2": {{"a", true, "2\n"}, {"b", true, ""}},
		"*** Add File: \n+1":                                        nil,
	} {
		if got := p.Touched(text); !slices.Equal(got, want) {
			t.Errorf("%q:\n got %+v\nwant %+v", text, got, want)
		}
	}
	if got := (Patch{Paths: "^(.+)$", Adds: "^(.+)$"}).Touched("/a b"); !slices.Equal(got, []Touch{{"/a b", true, ""}}) {
		t.Errorf("a path alone: %+v", got)
	}
	if got := (Patch{}).Touched("*** Add File: a"); got != nil {
		t.Errorf("without expressions: %+v", got)
	}
}

func TestAPatchWithOtherContent(t *testing.T) {
	p := Patch{Adds: `^\*\*\* Add File: (.+)$`, Line: "+"}
	for _, c := range []struct{ text, content, want string }{
		{"*** Add File: a\n+1\n+2\n*** Add File: b\n+3\n*** End Patch", "x\ny", "*** Add File: a\n+x\n+y\n*** Add File: b\n+3\n*** End Patch"},
		{"*** Add File: a\n+1\n", "", "*** Add File: a\n"},
		{"*** Add File: a", "1\n", "*** Add File: a\n+1"},
		{"*** Update File: a\n+1", "x", "*** Update File: a\n+1"},
	} {
		if got := p.With(c.text, "a", c.content); got != c.want {
			t.Errorf("%q with %q: got %q, want %q", c.text, c.content, got, c.want)
		}
	}
}

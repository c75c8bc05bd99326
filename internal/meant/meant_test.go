package meant

import "testing"

func TestDidYouMean(t *testing.T) {
	known := []string{"claude", "codex", "pi", "use_id"}
	for name, want := range map[string]string{
		"claud": `did you mean "claude"?`, "cluade": `did you mean "claude"?`, "pii": `did you mean "pi"?`, "useId": `did you mean "use_id"?`,
		"zzzzzz": "", "": "", "a name that is much longer than any that was known": "",
	} {
		if got := DidYouMean(name, known); got != want {
			t.Errorf("%q: %s; expected %s", name, got, want)
		}
	}
	if got := Ending("codx", known); got != `; did you mean "codex"?` {
		t.Error(got)
	}
	if got := Ending("zzzzzz", known); got != "" {
		t.Error(got)
	}
}

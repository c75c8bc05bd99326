package harness

import "testing"

func TestRepliesAreJoinedIntoOneAnswer(t *testing.T) {
	for _, c := range []struct {
		about      string
		a, b, want Reply
	}{
		{"nothing and something", Reply{}, Reply{Stdout: `{"a":1}` + "\n"}, Reply{Stdout: `{"a":1}` + "\n"}},
		{"something and nothing", Reply{Exit: 2, Stderr: "no\n"}, Reply{}, Reply{Exit: 2, Stderr: "no\n"}},
		{"objects of one name", Reply{Stdout: `{"h":{"e":"X","in":{"n":1e400}}}` + "\n"}, Reply{Stdout: `{"h":{"e":"X","c":"\ud83d"},"s":"m"}` + "\n"},
			Reply{Stdout: `{"h":{"e":"X","in":{"n":1e400},"c":"\ud83d"},"s":"m"}` + "\n"}},
		{"the first holds", Reply{Stdout: `{"a":1,"b":{}}` + "\n"}, Reply{Exit: 2, Stdout: `{"a":2,"b":3}` + "\n"}, Reply{Exit: 2, Stdout: `{"a":1,"b":{}}` + "\n"}},
		{"texts", Reply{Stdout: "one\n"}, Reply{Stdout: "two\n"}, Reply{Stdout: "one\ntwo\n"}},
	} {
		if got := c.a.And(c.b); got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.about, got, c.want)
		}
	}
}

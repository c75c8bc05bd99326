package engine

import "testing"

func TestSameModel(t *testing.T) {
	for _, c := range []struct {
		requested, answered string
		same                bool
	}{
		{"claude-opus-5-5", "claude-opus-5-5", true},
		{"claude-opus-5-5[1m]", "claude-opus-5-5-20261130", true},
		{"claude-opus-5-5", "claude-opus-5", false},
		{"fake/fake-1", "fake-1", true},
		{"fake-1", "other/fake-1", false},
		{"fake/fake-1", "e-1", false},
		{"claude-x@20261130", "claude-x", true},
	} {
		if got := sameModel(c.requested, c.answered); got != c.same {
			t.Errorf("%s, %s: %v", c.requested, c.answered, got)
		}
	}
}

package plan

import (
	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Predicates are conditions as the engines test them.
func Predicates(list []descriptor.Predicate) (out []harness.Predicate) {
	for _, p := range list {
		out = append(out, harness.Predicate{
			Key: p.Key.Text, In: Texts(p.In), NotIn: Texts(p.NotIn), Match: p.Match.Text, Absent: p.Absent, Present: p.Present,
		})
	}
	return out
}

// Texts are the strings of a list; nil for a list that is not there.
func Texts(list []descriptor.Str) []string {
	if list == nil {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.Text
	}
	return out
}

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

// TrustSeen is where doctor reads that the user trusts a clone's hooks; nil when it cannot be read anywhere.
func TrustSeen(t *descriptor.Trust) *harness.TrustSeen {
	if t == nil || t.Seen == nil {
		return nil
	}
	return &harness.TrustSeen{File: t.Seen.File.Text, Where: Predicates(t.Seen.Where)}
}

// Table is an ordered map of the descriptor as one of generated code, where order means nothing; nil when it is empty.
func Table[V, W any](m descriptor.Map[V], value func(V) W) map[string]W {
	if len(m) == 0 {
		return nil
	}
	out := map[string]W{}
	for _, e := range m {
		out[e.Key] = value(e.Value)
	}
	return out
}

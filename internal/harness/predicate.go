package harness

import "slices"

// Predicate tests one value: a field of JSON, a variable of the environment, or a fact of a run. Exactly one of the operations
// is set.
type Predicate struct {
	Key     string   `json:"key"`               // what is tested: a gjson path, or a name
	In      []string `json:"in,omitempty"`      // it is one of these
	NotIn   []string `json:"not_in,omitempty"`  // it is none of these; what is not there is none of them
	Match   string   `json:"match,omitempty"`   // regular expression that it matches
	Absent  bool     `json:"absent,omitempty"`  // it is not there
	Present bool     `json:"present,omitempty"` // it is there
}

// Holds tests a value; there says whether there is one.
func (p Predicate) Holds(value string, there bool) bool {
	switch {
	case p.In != nil:
		return there && slices.Contains(p.In, value)
	case p.NotIn != nil:
		return !there || !slices.Contains(p.NotIn, value)
	case p.Match != "":
		return there && Match(p.Match, value)
	case p.Absent:
		return !there
	}
	return there
}

// AllHold tests a list against the values that value finds.
func AllHold(list []Predicate, value func(key string) (string, bool)) bool {
	return !slices.ContainsFunc(list, func(p Predicate) bool { v, there := value(p.Key); return !p.Holds(v, there) })
}
